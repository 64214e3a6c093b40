import { obj, oneOf, str } from '@farlink/gateway/protocol/shape.ts';
import type { LinkName } from '../radio.ts';
import { isLinkName } from '../radio.ts';
import { done, fail, label, operation, type Run } from './operation.ts';

const locks = ['unlocked', 'global', 'second_satellite'] as const;
const modes = ['default', 'backup', 'roaming'] as const;
const lockedLink: Readonly<Record<(typeof locks)[number], LinkName | undefined>> = {
  unlocked: undefined,
  global: '6d',
  second_satellite: 'low_orbit',
};

const switchLink = operation(obj({ link: str(16) }), (box, { link }) => {
  if (!isLinkName(link) || !box.world.radio.has(link)) return fail('no such link');
  if (box.world.radio.isLockedFrom(link)) return fail('locked');
  return box.world.switchTo(link) ? done({ link }) : fail('the link is down');
});

const lockLink = operation(obj({ lock: oneOf(locks) }, { mode: oneOf(modes) }), (box, { lock, mode }) => {
  const link = lockedLink[lock];
  if (link !== undefined && !box.world.radio.has(link)) return fail('no such link');
  box.world.lockTo(lock, mode);
  const isOn = box.view().links.some((l) => l.i === link && l.s === 1);
  return done({ link: (isOn ? link : box.current) ?? null });
});

const kick = operation(obj({ sid: label }), (box, { sid }) => (box.users.signOut(sid, 'kick') ? done() : fail('no such session')));

const portal = operation(
  obj({ portal: label }, { name: str(128), billing: str(16) }),
  async (box, { portal: id, name, billing }, { args }) => {
    await box.wait(3);
    box.portal = { portal: id, ...(name !== undefined && { name }), ...(billing !== undefined && { billing }) };
    return done({ portal: args.portal ?? id });
  },
);

const controlAp = operation(obj({ ap: str(64), act: oneOf(['on', 'off', 'reboot']) }), async (box, { ap, act }) => {
  if (act === 'reboot') {
    if (!box.world.around.setAp(ap, false)) return fail('no such access point');
    await box.wait(20);
  }
  return box.world.around.setAp(ap, act !== 'off') ? done() : fail('no such access point');
});

export const networkOperations: Readonly<Record<string, Run>> = {
  'link.switch': switchLink,
  'link.lock': lockLink,
  'user.kick': kick,
  'portal.set': portal,
  'ap.ctl': controlAp,
};
