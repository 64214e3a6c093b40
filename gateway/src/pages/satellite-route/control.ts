import { bool, choice, ref, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';

export const satelliteRouteControl = action('satellite_route_control', {
  title: ['卫星设备操作', 'Satellite device control'],
  summary: [
    '向调制解调器、天线、L波段或低轨终端下发单次操作，并记录操作原因。',
    'One-shot commands to modem, antenna, L-band or LEO terminal, each logged with a reason.',
  ],
  fields: {
    target: choice(
      ['操作对象', 'Target'],
      {
        modem: ['调制解调器', 'Modem'],
        acu: ['天线ACU', 'Antenna ACU'],
        lband: ['L波段终端', 'L-band terminal'],
        leo: ['低轨终端', 'LEO terminal'],
      },
      { required: true, default: 'modem' },
    ),
    modem: ref(['调制解调器', 'Modem'], 'satellite_route_modem', { required: true, when: ['target', 'modem'] }),
    modem_op: choice(
      ['调制解调器操作', 'Modem operation'],
      {
        reacquire: ['重新入网', 'Reacquire network'],
        switch_beam: ['切换波束', 'Switch beam'],
        tx_mute: ['关闭发射', 'Mute transmit'],
        tx_unmute: ['恢复发射', 'Restore transmit'],
        reboot: ['重启', 'Restart'],
      },
      { required: true, when: ['target', 'modem'] },
    ),
    beam: ref(['目标波束', 'Target beam'], 'satellite_route_beam', { required: true, when: ['modem_op', 'switch_beam'] }),
    antenna: ref(['天线', 'Antenna'], 'satellite_route_antenna', { required: true, when: ['target', 'acu'] }),
    acu_op: choice(
      ['天线操作', 'Antenna operation'],
      {
        retarget: ['重新对星', 'Retarget satellite'],
        unwrap: ['解缠绕', 'Unwrap cable'],
        tx_mute: ['关闭发射', 'Mute transmit'],
        tx_unmute: ['恢复发射', 'Restore transmit'],
        restart: ['重启ACU', 'Restart ACU'],
      },
      { required: true, when: ['target', 'acu'] },
    ),
    lband_op: choice(
      ['L波段操作', 'L-band operation'],
      { connect: ['建立数据连接', 'Start data session'], disconnect: ['断开数据连接', 'Stop data session'], reboot: ['重启', 'Restart'] },
      { required: true, when: ['target', 'lband'] },
    ),
    leo_op: choice(
      ['低轨终端操作', 'LEO operation'],
      { reboot: ['重启', 'Restart'], stow: ['收藏', 'Stow'], unstow: ['展开', 'Unstow'] },
      { required: true, when: ['target', 'leo'] },
    ),
    reason: text(['操作原因', 'Reason'], { required: true, max: 128 }),
    confirm: bool(['我已确认影响并继续', 'I understand the impact'], { required: true, default: false }),
  },
});
