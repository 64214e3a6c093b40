import { group } from '../../kit/page.ts';
import { networkCellular } from './cellular.ts';
import { networkDhcpLease } from './dhcp-lease.ts';
import { networkDhcpServer } from './dhcp-server.ts';
import { networkDhcpStatic } from './dhcp-static.ts';
import { networkDns } from './dns.ts';
import { networkIpGroup } from './ip-group.ts';
import { networkLan } from './lan.ts';
import { networkPolicyRoute } from './policy-route.ts';
import { networkStaticRoute } from './static-route.ts';
import { networkTimeGroup } from './time-group.ts';
import { networkVlan } from './vlan.ts';
import { networkWan } from './wan.ts';

export const network = group(
  'network',
  ['网络设置', 'Network'],
  networkWan,
  networkLan,
  networkVlan,
  networkCellular,
  networkDhcpServer,
  networkDhcpStatic,
  networkDhcpLease,
  networkDns,
  networkStaticRoute,
  networkPolicyRoute,
  networkIpGroup,
  networkTimeGroup,
);
