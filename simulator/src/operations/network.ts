import { obj, oneOf, str } from '@farlink/gateway/protocol/shape.ts';
import { admitClient } from '../admit.ts';
import type { LinkName } from '../radio.ts';
import { isLinkName } from '../radio.ts';
import { label, operation, type Run } from './operation.ts';
import { done, fail } from './result.ts';

const locks = ['unlocked', 'global', 'second_satellite'] as const;
const modes = ['default', 'backup', 'roaming'] as const;
const lockedLink: Readonly<Record<(typeof locks)[number], LinkName | undefined>> = {
  unlocked: undefined,
  global: '6d',
  second_satellite: 'low_orbit',
};

const switchLink = operation(obj({ link: str(16) }), (gateway, { link }) => {
  if (!isLinkName(link) || !gateway.world.radio.has(link)) return fail('no such link');
  if (gateway.world.radio.isLockedFrom(link)) return fail('locked');
  return gateway.world.switchTo(link) ? done({ link }) : fail('the link is down');
});

const lockLink = operation(obj({ lock: oneOf(locks) }, { mode: oneOf(modes) }), (gateway, { lock, mode }) => {
  const link = lockedLink[lock];
  if (link !== undefined && !gateway.world.radio.has(link)) return fail('no such link');
  gateway.world.lockTo(lock, mode);
  const isOn = gateway.view().links.some((l) => l.i === link && l.s === 1);
  return done({ link: (isOn ? link : gateway.current) ?? null });
});

const kick = operation(obj({ sid: label }), (gateway, { sid }) => (gateway.users.signOut(sid, 'kick') ? done() : fail('no such session')));

const login = operation(obj({ acc: str(64), mac: str(17) }, { ip: str(45) }), (gateway, client) => {
  const admitted = admitClient(gateway, client);
  if (typeof admitted !== 'string') return done({ sid: admitted.sid });
  gateway.users.refused(client.acc, admitted, client.mac);
  return fail(admitted);
});

const controlAp = operation(obj({ ap: str(64), act: oneOf(['on', 'off', 'reboot']) }), async (gateway, { ap, act }) => {
  if (act === 'reboot') {
    if (!gateway.world.lanSide.setAp(ap, false)) return fail('no such access point');
    await gateway.wait(20);
  }
  return gateway.world.lanSide.setAp(ap, act !== 'off') ? done() : fail('no such access point');
});

export const networkOperations: Readonly<Record<string, Run>> = {
  'link.switch': switchLink,
  'link.lock': lockLink,
  'user.kick': kick,
  'user.login': login,
  'ap.ctl': controlAp,
};
