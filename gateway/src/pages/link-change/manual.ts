import { bool, choice, duration, ref, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';

export const linkChangeManual = action('link_change_manual', {
  title: ['手动切换', 'Manual switch'],
  summary: ['立即将流量切换到目标链路，并设定保持时长。', 'Moves traffic to a chosen link now and sets how long it stays there.'],
  fields: {
    link: ref(['目标链路', 'Target link'], 'network_wan', { required: true }),
    hold: choice(
      ['保持方式', 'Hold'],
      {
        until_fail: ['直到该链路故障', 'Until it fails'],
        duration: ['指定时长', 'For a duration'],
        until_cancel: ['直到手动取消', 'Until cancelled'],
      },
      { required: true, default: 'until_fail' },
    ),
    hold_time: duration(['保持时长', 'Hold time'], {
      required: true,
      default: 60,
      min: 1,
      max: 10_080,
      unit: 'min',
      when: ['hold', 'duration'],
    }),
    drop_sessions: bool(['清除已有会话', 'Flush existing sessions'], { default: true }),
    override_lock: bool(['忽略链路锁定', 'Override link lock'], { default: false }),
    reason: text(['操作原因', 'Reason'], { required: true, max: 128 }),
    confirm: bool(['我了解切换会短时断网', 'I understand traffic will pause briefly'], { required: true, default: false }),
  },
});
