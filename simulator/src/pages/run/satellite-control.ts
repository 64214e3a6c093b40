import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { LinkName } from '../../radio.ts';
import { handsOn } from '../satellites.ts';
import { type Deed, DeedFault, type Doer } from './deed.ts';

const note = (deed: Deed, event: string, detail: string) => deed.box.memory.keep('satellite', deed.box.now(), { event, detail });

/** Nobody saws off the branch that he sits on. */
const refuseLast = (deed: Deed, link: LinkName) => {
  const others = deed.box.view().links.filter((one) => one.i !== link && one.s === 1);
  if (deed.box.current === link && others.length === 0)
    throw new DeedFault('it is the only uplink: nobody could be told to switch it on again');
};

/** Off the air for a while, then back. */
const outage = async (deed: Deed, link: LinkName, seconds: number, words: string) => {
  refuseLast(deed, link);
  deed.say(`${words}, back in about ${seconds} s`, 20);
  deed.box.world.silence(link, true);
  await deed.box.wait(seconds);
  deed.box.world.silence(link, false);
  await deed.box.wait(3);
  deed.say('is back', 90);
};

const modem = async (deed: Deed): Promise<JsonObject> => {
  const operation = deed.text('modem_op');
  const hands = handsOn(deed.box);
  if (operation === 'switch_beam') {
    hands.beam = deed.text('beam');
    note(deed, 'beam_switch', `beam ${hands.beam} by hand`);
    deed.say(`options for beam ${hands.beam} loaded, acquiring`, 40);
    await deed.wait(20);
    deed.say('in network', 90);
  } else if (operation === 'tx_mute') {
    refuseLast(deed, '6d');
    hands.isMuted = true;
    note(deed, 'tx_mute', deed.text('reason'));
    deed.box.world.silence('6d', true);
    deed.say('transmit muted', 90);
  } else if (operation === 'tx_unmute') {
    hands.isMuted = false;
    deed.box.world.silence('6d', false);
    deed.say('transmit restored', 90);
  } else {
    hands.modemUntil = deed.box.now() + 90;
    await outage(
      deed,
      '6d',
      operation === 'reboot' ? 90 : 30,
      operation === 'reboot' ? 'modem restarts' : 'leaving the network to enter it again',
    );
    hands.modemUntil = 0;
    note(deed, 'in_network', operation);
  }
  return { target: 'modem', operation };
};

const antenna = async (deed: Deed): Promise<JsonObject> => {
  const operation = deed.text('acu_op');
  const hands = handsOn(deed.box);
  if (operation === 'tx_mute' || operation === 'tx_unmute') {
    if (operation === 'tx_mute') refuseLast(deed, '6d');
    hands.isMuted = operation === 'tx_mute';
    deed.box.world.silence('6d', hands.isMuted);
    deed.say(hands.isMuted ? 'transmit muted by the antenna' : 'transmit restored', 90);
  } else {
    const seconds = { retarget: 45, unwrap: 60, restart: 120 }[operation] ?? 45;
    hands.acuUntil = deed.box.now() + seconds;
    await outage(deed, '6d', seconds, `antenna: ${operation}`);
    hands.acuUntil = 0;
    deed.say('tracking', 95);
  }
  return { target: 'acu', operation };
};

const terminal =
  (link: LinkName, off: string, on: string, name: string) =>
  async (deed: Deed): Promise<JsonObject> => {
    if (!deed.box.world.radio.has(link)) throw new DeedFault('no such terminal');
    const operation = deed.text(`${name}_op`);
    if (operation === 'reboot') await outage(deed, link, 60, 'terminal restarts');
    else {
      if (operation === off) refuseLast(deed, link);
      deed.box.world.silence(link, operation === off);
      deed.say(`${operation}: done`, 90);
    }
    return { target: name, operation: operation || on };
  };

const targets: Readonly<Record<string, Doer>> = {
  modem,
  acu: antenna,
  lband: terminal('l_band', 'disconnect', 'connect', 'lband'),
  leo: terminal('low_orbit', 'stow', 'unstow', 'leo'),
};

export const controlSatellite: Doer = async (deed) => {
  const act = targets[deed.text('target')];
  if (!act) throw new DeedFault('no such target');
  deed.say(deed.text('reason'), 5);
  return act(deed);
};
