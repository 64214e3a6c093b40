import { encodings } from '../../choices.ts';
import { bool, choice, port, ref, text } from '../../kit/field.ts';
import { terminal } from '../../kit/page.ts';

export const telnetAntenna = terminal('telnet_antenna', {
  title: ['天线终端', 'Antenna terminal'],
  summary: ['天线控制单元（ACU）终端。', 'Console of the antenna control unit.'],
  fields: {
    antenna: ref(['天线', 'Antenna'], 'satellite_route_antenna', { required: true }),
    port: port(['端口', 'Port'], { required: true, default: 23 }),
    reason: text(['操作原因', 'Reason'], { required: true, max: 128 }),
    encoding: choice(['字符编码', 'Encoding'], encodings, { default: 'utf8' }),
    read_only: bool(['只读模式', 'Read-only mode'], { default: false }),
    allow_lband: bool(['允许经L波段连接', 'Connect over L-band'], { default: false }),
  },
});
