/** What goes wrong, by chance for each message or for good. All of it is decided by the seed. */
export interface Faults {
  /** Sent twice. */
  duplicate: number;
  /** Sent before its elders. */
  reorder: number;
  /** The connection breaks after sending, before the answer. */
  cut: number;
  /** The power fails within a step. */
  reboot: number;
  /** Seconds by which the clock is wrong at the start. */
  skew: number;
  /** Never takes the time from the console. */
  deafClock: boolean;
  /** Sections that cannot be applied. */
  reject: ReadonlySet<string>;
}

export const noFaults = (): Faults => ({ duplicate: 0, reorder: 0, cut: 0, reboot: 0, skew: 0, deafClock: false, reject: new Set() });

const readers: Record<string, (faults: Faults, value: string) => void> = {
  duplicate: (f, v) => {
    f.duplicate = Number(v);
  },
  reorder: (f, v) => {
    f.reorder = Number(v);
  },
  cut: (f, v) => {
    f.cut = Number(v);
  },
  reboot: (f, v) => {
    f.reboot = Number(v);
  },
  skew: (f, v) => {
    f.skew = Number(v);
  },
  deaf: (f, v) => {
    f.deafClock = v !== '0';
  },
  reject: (f, v) => {
    f.reject = new Set(v.split('+'));
  },
};

/** `duplicate=0.1,cut=0.01,skew=86400,reject=wifi+qos` */
export const readFaults = (text: string): Faults => {
  const faults = noFaults();
  for (const part of text.split(',').filter(Boolean)) {
    const [name = '', value = '1'] = part.split('=');
    const read = readers[name];
    if (!read) throw new Error(`No such fault: ${name}. There are: ${Object.keys(readers).join(', ')}.`);
    read(faults, value);
  }
  return faults;
};
