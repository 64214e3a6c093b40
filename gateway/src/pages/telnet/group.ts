import { group } from '../../kit/page.ts';
import { telnetAntenna } from './antenna.ts';
import { telnetGateway } from './gateway.ts';
import { telnetModem } from './modem.ts';
import { telnetSetting } from './setting.ts';

export const telnet = group('telnet', ['Telnet终端', 'Telnet'], telnetSetting, telnetGateway, telnetModem, telnetAntenna);
