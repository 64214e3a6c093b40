import { fenceSwitches } from '../../choices.ts';
import { bool, choice, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const fencePolicy = list('fence_policy', {
  title: ['围栏动作策略', 'Fence policies'],
  summary: [
    '定义围栏动作：优先与禁用链路、链路锁定、切换模式、发射控制和用户上网。',
    'Fence actions: preferred and forbidden links, lock, change mode, transmit and user access.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    prefer_link: ref(['优先使用链路', 'Preferred link'], 'network_wan'),
    forbid_links: rows(['禁用链路', 'Forbidden links'], { max: 8 }, { link: ref(['链路', 'Link'], 'network_wan', { required: true }) }),
    change_mode: choice(
      ['切换模式', 'Change mode'],
      {
        unchanged: ['保持不变', 'Leave unchanged'],
        default: ['默认模式', 'Default'],
        backup: ['备份模式', 'Backup'],
        roaming: ['漫游模式', 'Roaming'],
      },
      { default: 'unchanged' },
    ),
    link_lock: choice(
      ['链路锁定', 'Link lock'],
      {
        unchanged: ['保持不变', 'Leave unchanged'],
        unlocked: ['未锁定', 'Unlocked'],
        global: ['锁定全球网', 'Locked to global network'],
        second: ['锁定第二卫星网', 'Locked to second satellite network'],
      },
      { default: 'unchanged' },
    ),
    vsat_tx: choice(
      ['VSAT发射', 'VSAT transmit'],
      { unchanged: ['保持不变', 'Leave unchanged'], mute: ['静默', 'Mute'], allow: ['允许', 'Allow'] },
      { default: 'unchanged' },
    ),
    leo: choice(['低轨终端', 'LEO terminal'], fenceSwitches, { default: 'unchanged' }),
    cellular: choice(['4G/5G', 'Cellular'], fenceSwitches, { default: 'unchanged' }),
    user_access: choice(
      ['用户上网', 'User access'],
      {
        unchanged: ['保持不变', 'Leave unchanged'],
        allow: ['放行', 'Allow'],
        business_only: ['仅业务网', 'Business network only'],
        block: ['禁止', 'Block'],
      },
      { default: 'unchanged' },
    ),
    revert: bool(['离开围栏后恢复原状态', 'Restore the previous state on leaving'], { default: true }),
    notify: bool(['发送通知', 'Send notification'], { default: true }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
