import type { LinkName } from '../../radio.ts';
import { type Deed, DeedFault, type Doer } from './deed.ts';

const patienceS = 15;

/** Somebody holds it there for a time, and then nobody does. */
const releaseLater = (deed: Deed) => {
  if (deed.text('hold') !== 'duration') return;
  const { radio } = deed.box.world;
  const { hold } = radio;
  void deed.box.wait(deed.number('hold_time', 60) * 60).then(() => radio.release(hold));
};

const isUsed = (deed: Deed, link: LinkName) => deed.box.current === link;

export const switchLink: Doer = async (deed) => {
  const wan = deed.wan(deed.args.link);
  if (!wan?.link) throw new DeedFault('no such link');
  const { world } = deed.box;
  if (world.radio.lock !== 'unlocked' && !deed.flag('override_lock')) throw new DeedFault(`locked: ${world.radio.lock}`);
  const from = deed.scene.active?.name ?? 'none';
  deed.say(`${from} -> ${wan.name}: ${deed.text('reason')}`, 10);
  if (isUsed(deed, wan.link)) {
    deed.say('is in use already');
    return { from, link: wan.name, sessions: 0 };
  }
  if (world.radio.lock !== 'unlocked') world.radio.lock = 'unlocked';
  if (!world.switchTo(wan.link, 'manual')) throw new DeedFault('the link is down');
  const sessions = deed.flag('drop_sessions') ? deed.scene.hosts.reduce((sum, host) => sum + host.sessions, 0) : 0;
  if (sessions > 0) deed.say(`${sessions} sessions flushed`, 40);
  for (let second = 0; second < patienceS && !isUsed(deed, wan.link); second++) await deed.wait(1);
  if (!isUsed(deed, wan.link)) throw new DeedFault('the link did not come up');
  releaseLater(deed);
  deed.say(`${wan.name} is in use, ${wan.now?.r ?? 0} ms`, 95);
  return { from, link: wan.name, sessions };
};
