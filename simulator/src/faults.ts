/** What happens to a download, or to what it was for, as long as it is set. */
export const fileFaults = ['net', 'missing', 'corrupt', 'install', 'unzip', 'execute'] as const;
/** How a new firmware goes wrong: it does not start, the power fails while it is written, or it cannot be written. */
export const upgradeFaults = ['boot', 'power', 'install'] as const;
/** What a gateway does when it shall change hands: says no, stays as it is without a word, or is never heard of again. */
export const transferFaults = ['refuse', 'ignore', 'vanish'] as const;

/** The power fails while a set is applied: before the moment from which on it counts, or after it. */
export const applyFaults = ['before', 'after'] as const;

/** What goes wrong, by chance for each message or for good; may be changed while the gateway runs. All of it is decided by the seed. */
export interface Faults {
  /** Sent twice. */
  duplicate: number;
  /** Sent before its elders. */
  reorder: number;
  /** The connection breaks after sending, before the answer. */
  cut: number;
  /** The acknowledgement gets lost: what is stored is sent again. */
  lostAck: number;
  /** The power fails within a step. */
  reboot: number;
  /** Seconds by which the clock is wrong at the start, and by which it goes wrong in a day. */
  skew: number;
  drift: number;
  /** Never takes the time from the console. */
  deafClock: boolean;
  /** Sections that cannot be applied. */
  reject: ReadonlySet<string>;
  /** Seconds until a set is applied. */
  slowApply: number;
  /** Once. */
  applyPower: (typeof applyFaults)[number] | undefined;
  /** Operations that are answered with 'unsupported', as by an older firmware. */
  unsupported: ReadonlySet<string>;
  /** Seconds until a command is acknowledged. */
  slowAck: number;
  /** Commands are heard and not answered. */
  neverAck: boolean;
  /** Knocks with a key that is not its own. */
  wrongKey: boolean;
  file: (typeof fileFaults)[number] | undefined;
  /** A download holds at this percentage. */
  hold: number | undefined;
  /** So many times a download breaks off and goes on from where it was. */
  drops: number;
  upgrade: (typeof upgradeFaults)[number] | undefined;
  /** Action pages whose deeds go wrong. */
  run: ReadonlySet<string>;
  transfer: (typeof transferFaults)[number] | undefined;
}

export const noFaults = (): Faults => ({
  duplicate: 0,
  reorder: 0,
  cut: 0,
  lostAck: 0,
  reboot: 0,
  skew: 0,
  drift: 0,
  deafClock: false,
  reject: new Set(),
  slowApply: 0,
  applyPower: undefined,
  unsupported: new Set(),
  slowAck: 0,
  neverAck: false,
  wrongKey: false,
  file: undefined,
  hold: undefined,
  drops: 0,
  upgrade: undefined,
  run: new Set(),
  transfer: undefined,
});

/** Sets one fault; false: it cannot have this value. */
type Reader = (faults: Faults, value: string) => boolean;

const number =
  (
    name: 'duplicate' | 'reorder' | 'cut' | 'lostAck' | 'reboot' | 'skew' | 'drift' | 'slowAck' | 'slowApply' | 'drops',
    most = Number.MAX_SAFE_INTEGER,
  ): Reader =>
  (faults, value) => {
    faults[name] = Number(value);
    return Number.isFinite(faults[name]) && faults[name] <= most;
  };
const flag =
  (name: 'deafClock' | 'neverAck' | 'wrongKey'): Reader =>
  (faults, value) => {
    faults[name] = value === '1' || value === 'true';
    return ['0', '1', 'true', 'false'].includes(value);
  };
const names =
  (name: 'reject' | 'unsupported' | 'run'): Reader =>
  (faults, value) => {
    faults[name] = new Set(value.split('+').filter(Boolean));
    return true;
  };
const choice =
  <const L extends readonly string[]>(from: L, set: (faults: Faults, value: L[number] | undefined) => void): Reader =>
  (faults, value) => {
    const found = from.find((one) => one === value);
    set(faults, found);
    return found !== undefined || value === '';
  };

const readers: Readonly<Record<string, Reader>> = {
  duplicate: number('duplicate', 1),
  reorder: number('reorder', 1),
  cut: number('cut', 1),
  lost_ack: number('lostAck', 1),
  reboot: number('reboot', 1),
  skew: number('skew'),
  drift: number('drift'),
  deaf: flag('deafClock'),
  reject: names('reject'),
  slow_apply: number('slowApply'),
  apply_power: choice(applyFaults, (f, v) => {
    f.applyPower = v;
  }),
  unsupported: names('unsupported'),
  run: names('run'),
  slow_ack: number('slowAck'),
  never_ack: flag('neverAck'),
  wrong_key: flag('wrongKey'),
  file: choice(fileFaults, (f, v) => {
    f.file = v;
  }),
  hold: (f, v) => {
    f.hold = v === '' ? undefined : Number(v);
    return !Number.isNaN(f.hold);
  },
  drops: number('drops'),
  upgrade: choice(upgradeFaults, (f, v) => {
    f.upgrade = v;
  }),
  transfer: choice(transferFaults, (f, v) => {
    f.transfer = v;
  }),
};

/** Sets one fault by its name on the wire and on the command line; an empty text takes it away where it is no number. */
export const setFault = (faults: Faults, name: string, value: string) => {
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!read) throw new Error(`No such fault: ${name}. There are: ${Object.keys(readers).join(', ')}.`);
  if (!read(faults, value)) throw new Error(`The fault ${name} cannot be ${value}.`);
};

/** `duplicate=0.1,cut=0.01,skew=86400,reject=wifi+qos,file=corrupt` */
export const readFaults = (text: string): Faults => {
  const faults = noFaults();
  for (const part of text.split(',').filter(Boolean)) {
    const [name = '', value = '1'] = part.split('=');
    setFault(faults, name, value);
  }
  return faults;
};
