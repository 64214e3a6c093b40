import { changeModes, linkLocks, results } from '../../choices.ts';
import { choice, int, longText, ref, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const linkChangeLog = log('link_change_log', {
  title: ['切换日志', 'Switch log'],
  summary: ['记录每次切换的触发原因、中断时长和位置。', 'Every switch with trigger, outage time and position.'],
  fields: {
    time: time(['时间', 'Time']),
    from_link: ref(['原链路', 'From link'], 'network_wan'),
    to_link: ref(['新链路', 'To link'], 'network_wan'),
    trigger: choice(['触发原因', 'Trigger'], {
      failure: ['链路故障', 'Link failure'],
      recovery: ['链路恢复', 'Link recovery'],
      threshold: ['质量阈值', 'Quality threshold'],
      manual: ['手动', 'Manual'],
      fence: ['围栏', 'Fence'],
      quota: ['配额', 'Quota'],
      lock: ['锁定', 'Lock'],
      platform: ['平台指令', 'Platform command'],
      boot: ['开机选路', 'Boot selection'],
    }),
    detail: longText(['说明', 'Detail']),
    change_mode: choice(['切换模式', 'Change mode'], changeModes),
    link_lock: choice(['链路锁定', 'Link lock'], linkLocks),
    outage_s: int(['中断时长（s）', 'Outage (s)']),
    latitude: text(['纬度', 'Latitude']),
    longitude: text(['经度', 'Longitude']),
    operator: text(['操作人', 'Operator']),
    result: choice(['结果', 'Result'], results),
  },
});
