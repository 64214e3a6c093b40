/** Failure of a download, or of the step after it, while this fault is set. */
export const fileFaults = ['net', 'missing', 'corrupt', 'install', 'unzip', 'execute'] as const;
/** Failure of a firmware upgrade: the new version does not boot, the power fails during the write, or the write fails. */
export const upgradeFaults = ['boot', 'power', 'install'] as const;
/** Reaction to a transfer: the gateway refuses, ignores the request, or never connects again. */
export const transferFaults = ['refuse', 'ignore', 'vanish'] as const;

/** Failure of a portal: its bundle arrives damaged, cannot be unpacked, or its page does not open. */
export const portalFailures = ['corrupt', 'unpack', 'probe'] as const;

/**
 * Failure of a DPI report: the size is unknown, the package cannot be made, the data is lost, the file is damaged on its way, the upload
 * fails, the power fails once while the package is made, or the gateway reports an upload that never happened.
 */
export const dpiFaults = ['estimate', 'package', 'missing', 'corrupt', 'upload', 'power', 'skip'] as const;

/** Power failure while a bundle is applied: before or after the changes are stored. */
export const applyFaults = ['before', 'after'] as const;

/** Faults: a probability per message, or a permanent state. They can change at run time, and the seed makes them reproducible. */
export interface Faults {
  /** A message is sent twice. */
  duplicate: number;
  /** A message is sent before older ones. */
  reorder: number;
  /** The connection breaks after sending, before the acknowledgement. */
  cut: number;
  /** The acknowledgement is lost, so a stored message is sent again. */
  lostAck: number;
  /** The power fails during a step. */
  reboot: number;
  /** Clock error in seconds at the start, and per day. */
  skew: number;
  drift: number;
  /** Ignores the time from the console. */
  deafClock: boolean;
  reject: ReadonlySet<string>;
  /** Seconds until a bundle is applied. */
  slowApply: number;
  /** Applies once. */
  applyPower: (typeof applyFaults)[number] | undefined;
  /** Operations that get the reply 'unsupported', as from an older firmware. */
  unsupported: ReadonlySet<string>;
  /** Seconds until a command is acknowledged. */
  slowAck: number;
  /** Commands get no reply. */
  neverAck: boolean;
  /** Connects with a wrong key. */
  wrongKey: boolean;
  file: (typeof fileFaults)[number] | undefined;
  /** A download or a DPI upload pauses at this percentage. */
  hold: number | undefined;
  /** Number of times that a download or a DPI upload breaks and resumes. */
  drops: number;
  upgrade: (typeof upgradeFaults)[number] | undefined;
  /** Action pages whose runs fail. */
  run: ReadonlySet<string>;
  transfer: (typeof transferFaults)[number] | undefined;
  portal: (typeof portalFailures)[number] | undefined;
  dpi: (typeof dpiFaults)[number] | undefined;
  /** Accounts that the gateway does not accept. */
  refuseAccounts: ReadonlySet<string>;
  /** Share of the users' traffic that a link counts in addition, without an account or a service. */
  unattributed: number;
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
  portal: undefined,
  dpi: undefined,
  refuseAccounts: new Set(),
  unattributed: 0,
});

/** Sets one fault; false: invalid value. */
type Reader = (faults: Faults, value: string) => boolean;

const number =
  (
    name: 'duplicate' | 'reorder' | 'cut' | 'lostAck' | 'reboot' | 'skew' | 'drift' | 'slowAck' | 'slowApply' | 'drops' | 'unattributed',
    max = Number.MAX_SAFE_INTEGER,
  ): Reader =>
  (faults, value) => {
    faults[name] = Number(value);
    return Number.isFinite(faults[name]) && faults[name] <= max;
  };
const flag =
  (name: 'deafClock' | 'neverAck' | 'wrongKey'): Reader =>
  (faults, value) => {
    faults[name] = value === '1' || value === 'true';
    return ['0', '1', 'true', 'false'].includes(value);
  };
const names =
  (name: 'reject' | 'unsupported' | 'run' | 'refuseAccounts'): Reader =>
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
  refuse_accounts: names('refuseAccounts'),
  unattributed: number('unattributed', 1),
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
  dpi: choice(dpiFaults, (f, v) => {
    f.dpi = v;
  }),
  portal: choice(portalFailures, (f, v) => {
    f.portal = v;
  }),
};

/** Sets one fault by its name on the wire and on the command line. An empty text removes a fault that is not a number. */
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
