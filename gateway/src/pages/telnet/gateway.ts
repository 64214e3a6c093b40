import { encodings } from '../../choices.ts';
import { bool, choice, text } from '../../kit/field.ts';
import { terminal } from '../../kit/page.ts';

export const telnetGateway = terminal('telnet_gateway', {
  title: ['网关终端', 'Gateway terminal'],
  summary: ['经平台中继的网关命令行。', 'Command line of the gateway, relayed by the platform.'],
  fields: {
    reason: text(['操作原因', 'Reason'], { required: true, max: 128 }),
    encoding: choice(['字符编码', 'Encoding'], encodings, { default: 'utf8' }),
    read_only: bool(['只读模式', 'Read-only mode'], { default: false }),
    allow_lband: bool(['允许经L波段连接', 'Connect over L-band'], { default: false }),
  },
});
