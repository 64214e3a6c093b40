import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { LinkName } from '../../radio.ts';
import { manualStateOf } from '../satellites.ts';
import { ActionFault, type ActionRun, type RunHandler } from './action-run.ts';

const note = (run: ActionRun, event: string, detail: string) =>
  run.gateway.memory.record('satellite', run.gateway.now(), { event, detail });

/** Refuse commands that would cut the link in use. */
const refuseLast = (run: ActionRun, link: LinkName) => {
  const others = run.gateway.view().links.filter((one) => one.i !== link && one.s === 1);
  if (run.gateway.current === link && others.length === 0)
    throw new ActionFault('this is the only uplink: the console could not switch it on again');
};

/** The link is down for these seconds, then up again. */
const outage = async (run: ActionRun, link: LinkName, seconds: number, text: string) => {
  refuseLast(run, link);
  run.print(`${text}, back in about ${seconds} s`, 20);
  run.gateway.world.silence(link, true);
  await run.gateway.wait(seconds);
  run.gateway.world.silence(link, false);
  await run.gateway.wait(3);
  run.print('is back', 90);
};

const modem = async (run: ActionRun): Promise<JsonObject> => {
  const operation = run.text('modem_op');
  const manual = manualStateOf(run.gateway);
  if (operation === 'switch_beam') {
    manual.beam = run.text('beam');
    note(run, 'beam_switch', `beam ${manual.beam} selected manually`);
    run.print(`options for beam ${manual.beam} loaded, acquiring`, 40);
    await run.wait(20);
    run.print('in network', 90);
  } else if (operation === 'tx_mute') {
    refuseLast(run, '6d');
    manual.isMuted = true;
    note(run, 'tx_mute', run.text('reason'));
    run.gateway.world.silence('6d', true);
    run.print('transmit muted', 90);
  } else if (operation === 'tx_unmute') {
    manual.isMuted = false;
    run.gateway.world.silence('6d', false);
    run.print('transmit restored', 90);
  } else {
    manual.modemUntil = run.gateway.now() + 90;
    await outage(
      run,
      '6d',
      operation === 'reboot' ? 90 : 30,
      operation === 'reboot' ? 'modem restarts' : 'leaving and re-entering the network',
    );
    manual.modemUntil = 0;
    note(run, 'in_network', operation);
  }
  return { target: 'modem', operation };
};

const antenna = async (run: ActionRun): Promise<JsonObject> => {
  const operation = run.text('acu_op');
  const manual = manualStateOf(run.gateway);
  if (operation === 'tx_mute' || operation === 'tx_unmute') {
    if (operation === 'tx_mute') refuseLast(run, '6d');
    manual.isMuted = operation === 'tx_mute';
    run.gateway.world.silence('6d', manual.isMuted);
    run.print(manual.isMuted ? 'transmit muted by the antenna' : 'transmit restored', 90);
  } else {
    const seconds = { retarget: 45, unwrap: 60, restart: 120 }[operation] ?? 45;
    manual.acuUntil = run.gateway.now() + seconds;
    await outage(run, '6d', seconds, `antenna: ${operation}`);
    manual.acuUntil = 0;
    run.print('tracking', 95);
  }
  return { target: 'acu', operation };
};

const terminal =
  (link: LinkName, off: string, on: string, name: string) =>
  async (run: ActionRun): Promise<JsonObject> => {
    if (!run.gateway.world.radio.has(link)) throw new ActionFault('no such terminal');
    const operation = run.text(`${name}_op`);
    if (operation === 'reboot') await outage(run, link, 60, 'terminal restarts');
    else {
      if (operation === off) refuseLast(run, link);
      run.gateway.world.silence(link, operation === off);
      run.print(`${operation}: done`, 90);
    }
    return { target: name, operation: operation || on };
  };

const targets: Readonly<Record<string, RunHandler>> = {
  modem,
  acu: antenna,
  lband: terminal('l_band', 'disconnect', 'connect', 'lband'),
  leo: terminal('low_orbit', 'stow', 'unstow', 'leo'),
};

export const controlSatellite: RunHandler = async (run) => {
  const act = targets[run.text('target')];
  if (!act) throw new ActionFault('no such target');
  run.print(run.text('reason'), 5);
  return act(run);
};
