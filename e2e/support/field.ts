import { deviceCalls } from '@farlink/contract/device/device.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, request } from '@playwright/test';
import { as, type Caller } from './api.ts';
import { sharedVno, unique } from './world.ts';

/** Actual state of a gateway, from the simulator. */
export interface GroundTruth {
  /** The last reported state of its binding. */
  readonly binding: number | null;
  readonly sn: string;
  readonly state: 'off' | 'connecting' | 'online';
  readonly powered: boolean;
  readonly boot: string;
  readonly version: string;
  readonly previous: string | null;
  readonly link: string | null;
  readonly lock: string;
  readonly mode: string;
  readonly fences: readonly string[];
  readonly users: readonly { readonly sid: string; readonly acc: string; readonly ip: string; readonly mac: string }[];
  readonly aps: readonly { readonly name: string; readonly s: 0 | 1; readonly mac: string; readonly ip: string }[];
  readonly lan: readonly number[];
  readonly files: readonly { readonly name: string; readonly path: string; readonly size: number }[];
  readonly sections: Readonly<Record<string, { readonly rev: number; readonly doc: Readonly<Record<string, unknown>> }>>;
  readonly portal: { readonly id: number | null; readonly rev: number | null; readonly port: number | null };
  readonly tunnels: readonly string[];
  /** Revision and size of the list of dangerous websites. */
  readonly danger: { readonly rev: number; readonly n: number };
}

export type Link = 'lte' | 'low_orbit' | '6d' | 'l_band';

export interface Traits {
  readonly model?: string;
  readonly version?: string;
  readonly previous?: string;
  readonly docker?: 0 | 1 | 2 | 3 | 4;
  readonly bill?: 0 | 1 | 2 | 3;
  readonly links?: readonly Link[];
  readonly accounts?: readonly string[];
  /** Latitude and longitude; the default is a fixed position in the South China Sea. */
  readonly at?: readonly [number, number];
}

const control = async <T = GroundTruth>(method: string, path: string, body: object = {}): Promise<T> => {
  const base = process.env.E2E_SIMULATOR;
  if (!base) throw new Error('E2E_SIMULATOR must name the control of a simulator that reaches the same server.');
  const http = await request.newContext();
  const reply = await http.fetch(`${base}/sim/${path}`, { method, data: method === 'GET' ? undefined : body });
  const result = await reply.json();
  await http.dispose();
  if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${JSON.stringify(result)}`);
  return result;
};

/** The merchant code for the enrolment at this VNO. */
export const merchantCodeOf = async (username: string): Promise<string> => {
  const { list } = await (await as('admin')).call(vnoCalls.list, { username, page: 1, limit: 10 });
  const vno = list.find((row) => row.username === username);
  if (!vno?.code) throw new Error(`no VNO ${username}`);
  return vno.code;
};

/** The device with this SN in the list of its VNO. */
export const deviceOf = async (by: Caller, sn: string) => {
  const { list } = await by.call(deviceCalls.list, { sn, page: 1, limit: 10 });
  return list.find((row) => row.sn === sn);
};

const handles = (sn: string) => {
  const act = <T = GroundTruth>(action: string, body: object) => control<T>('POST', `${sn}/${action}`, body);
  return {
    groundTruth: () => control('GET', sn),
    /** `{file: 'corrupt'}`, `{hold: 40}`, `{never_ack: true}`…; null removes one fault, `{clear: true}` removes all. */
    fault: (faults: Readonly<Record<string, string | number | boolean | null | readonly string[]>>) => act('fault', faults),
    /** `off` sends a bye message; `cut` is detected only after half a minute. */
    power: (power: 'on' | 'off' | 'cut' | 'reboot') => act('power', { power }),
    /** Forces a link; 'none' disables all, null restores automatic selection. */
    link: (force: Link | 'none' | null) => act('link', { force }),
    signIn: (acc: string) => act('user', { acc }),
    signOut: (acc: string, why: 'user' | 'idle' | 'quota' | 'lost' = 'user') => act('user', { acc, in: false, why }),
    failLogin: (acc: string) => act('user', { acc, fail: true }),
    /** A login with all checks of the gateway. */
    logIn: (acc: string, password: string) => act<{ readonly ok: boolean; readonly why?: string }>('user', { acc, password }),
    /** Transfers bytes and reports them at once; returns what the quota allowed. */
    browse: (acc: string, down: number, up = 0) =>
      act<{ readonly up: number; readonly down: number }>('browse', { acc, up, down, report: true }),
    /** A terminal asks for a temporary release, and transfers bytes if it gets one. */
    release: (mac: string, bytes: { readonly up?: number; readonly down?: number } = {}) =>
      act<{ readonly ok: boolean; readonly until: number | null; readonly reason?: string }>('release', { mac, ...bytes }),
    /** People on board open a website; the blocked visits are reported at once. */
    visit: (host: string, times = 1) => act<{ readonly blocked: number }>('danger', { visit: host, times, report: true }),
    ap: (ap: string, up: boolean) => act('ap', { ap, up }),
    port: (port: number, up: boolean) => act('port', { port, up }),
    goTo: (lat: number, lon: number) => act('goto', { lat, lon }),
    /** Changes a section at the gateway itself. */
    changeLocally: (section: string, doc: object) => act('local', { section, doc }),
    /** Advances the simulated time, to expire a rollback timer. */
    pass: (seconds: number) => act('pass', { seconds }),
    docker: (what: { crash: true } | { container: string; act: string; image?: string }) => act('docker', what),
    /** Serves the portal on loopback; returns its address. */
    servePortal: async () => `http://127.0.0.1:${(await act<{ readonly port: number }>('portal', { port: 0 })).port}/`,
    enrol: (code: string) => act('enrol', { code }),
    remove: () => control('DELETE', sn),
  };
};

export interface NewGateway extends ReturnType<typeof handles> {
  readonly sn: string;
  readonly deviceId: number;
  /** The VNO of the gateway. */
  readonly vno: Caller & { readonly username: string };
}

/** Creates a simulated gateway that requests a binding with the merchant code of a VNO. */
export const gatewayInApproval = async (username: string, traits: Traits = {}) => {
  const sn = unique('GW').toUpperCase();
  const code = await merchantCodeOf(username);
  await control('POST', sn, { at: [20, 115], links: ['lte', 'low_orbit', '6d', 'l_band'], code, ...traits });
  return { sn, code, ...handles(sn) };
};

/** Creates a simulated gateway for one test: enrolled with the merchant code of its VNO over the real protocol, and online. */
export const newGateway = async ({ vno, ...traits }: Traits & { vno?: NewGateway['vno'] } = {}): Promise<NewGateway> => {
  const owner = vno ?? (await sharedVno());
  const { sn } = await gatewayInApproval(owner.username, traits);
  let deviceId = 0;
  await expect
    .poll(
      async () => {
        const device = await deviceOf(owner, sn);
        deviceId = device?.id ?? 0;
        return device?.online_state;
      },
      { message: `${sn} comes online`, intervals: [100, 200, 300] },
    )
    .toBe(1);
  return { sn, deviceId, vno: owner, ...handles(sn) };
};
