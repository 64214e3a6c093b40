import { group } from '../../kit/page.ts';
import { vpnCertificate } from './certificate.ts';
import { vpnGre } from './gre.ts';
import { vpnIpsec } from './ipsec.ts';
import { vpnL2tp } from './l2tp.ts';
import { vpnOpenvpn } from './openvpn.ts';
import { vpnStatus } from './status.ts';
import { vpnUser } from './user.ts';
import { vpnWireguard } from './wireguard.ts';

export const vpn = group('vpn', ['VPN', 'VPN'], vpnIpsec, vpnL2tp, vpnOpenvpn, vpnWireguard, vpnGre, vpnUser, vpnCertificate, vpnStatus);
