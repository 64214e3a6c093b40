import { encodings } from '../../choices.ts';
import { bool, choice, ref, text } from '../../kit/field.ts';
import { terminal } from '../../kit/page.ts';

export const telnetModem = terminal('telnet_modem', {
  title: ['调制解调器终端', 'Modem terminal'],
  summary: ['卫星调制解调器终端，用于检查信号、波束和OPT文件。', 'Console of the satellite modem for signal, beam and option checks.'],
  fields: {
    modem: ref(['调制解调器', 'Modem'], 'satellite_route_modem', { required: true }),
    protocol: choice(['协议', 'Protocol'], { telnet: ['Telnet', 'Telnet'], ssh: ['SSH', 'SSH'] }, { required: true, default: 'telnet' }),
    reason: text(['操作原因', 'Reason'], { required: true, max: 128 }),
    encoding: choice(['字符编码', 'Encoding'], encodings, { default: 'utf8' }),
    read_only: bool(['只读模式', 'Read-only mode'], { default: false }),
    allow_lband: bool(['允许经L波段连接', 'Connect over L-band'], { default: false }),
  },
});
