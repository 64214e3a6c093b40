import type { LinkName } from '../../radio.ts';
import { ActionFault, type ActionRun, type RunHandler } from './action-run.ts';

const patienceS = 15;

/** Releases a manual switch after its duration. */
const releaseLater = (run: ActionRun) => {
  if (run.text('hold') !== 'duration') return;
  const { radio } = run.gateway.world;
  const { selections } = radio;
  void run.gateway.wait(run.number('hold_time', 60) * 60).then(() => radio.release(selections));
};

const isUsed = (run: ActionRun, link: LinkName) => run.gateway.current === link;

export const switchLink: RunHandler = async (run) => {
  const wan = run.wan(run.args.link);
  if (!wan?.link) throw new ActionFault('no such link');
  const { world } = run.gateway;
  if (world.radio.lock !== 'unlocked' && !run.flag('override_lock')) throw new ActionFault(`locked: ${world.radio.lock}`);
  const from = run.snapshot.active?.name ?? 'none';
  run.print(`${from} -> ${wan.name}: ${run.text('reason')}`, 10);
  if (isUsed(run, wan.link)) {
    run.print('is already in use');
    return { from, link: wan.name, sessions: 0 };
  }
  if (world.radio.lock !== 'unlocked') world.radio.lock = 'unlocked';
  if (!world.switchTo(wan.link, 'manual')) throw new ActionFault('the link is down');
  const sessions = run.flag('drop_sessions') ? run.snapshot.hosts.reduce((sum, host) => sum + host.sessions, 0) : 0;
  if (sessions > 0) run.print(`${sessions} sessions flushed`, 40);
  for (let second = 0; second < patienceS && !isUsed(run, wan.link); second++) await run.wait(1);
  if (!isUsed(run, wan.link)) throw new ActionFault('the link did not come up');
  releaseLater(run);
  run.print(`${wan.name} is in use, ${wan.now?.r ?? 0} ms`, 95);
  return { from, link: wan.name, sessions };
};
