import { group } from '../../kit/page.ts';
import { defenseArpBind } from './arp-bind.ts';
import { defenseArpGuard } from './arp-guard.ts';
import { defenseBlacklist } from './blacklist.ts';
import { defenseDmz } from './dmz.ts';
import { defenseDos } from './dos.ts';
import { defenseFirewallRule } from './firewall-rule.ts';
import { defenseLog } from './log.ts';
import { defensePortMapping } from './port-mapping.ts';

export const defense = group(
  'defense',
  ['安全防护', 'Defense'],
  defenseFirewallRule,
  defensePortMapping,
  defenseDmz,
  defenseArpBind,
  defenseArpGuard,
  defenseDos,
  defenseBlacklist,
  defenseLog,
);
