import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { document, flag, int, num, obj, oneOf, parse, record, type Shape, str } from '@farlink/gateway/protocol/shape.ts';
import { tempReleasePurposes } from '@farlink/gateway/protocol/temp-release.ts';
import { sectionPattern, snPattern } from '@farlink/gateway/protocol/topic.ts';
import { validateBundle } from './config/validate-bundle.ts';
import { containerActs } from './containers.ts';
import { noFaults, setFault } from './faults.ts';
import type { Fleet } from './fleet.ts';
import { placed, traits } from './fleet-file.ts';
import type { Gateway } from './gateway.ts';
import type { FleetOptions } from './gateway-options.ts';
import { groundTruthOf } from './ground-truth.ts';
import { testPhone } from './portal/portal-server.ts';
import { normalMac } from './session.ts';
import type { LoginResult } from './users-gateway.ts';
import { breakRule, violations } from './violations.ts';

export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const read = <T>(shape: Shape<T>, raw: unknown): T => {
  const parsed = parse(shape, raw);
  if ('reason' in parsed) throw new Refused(400, parsed.reason);
  return parsed.value;
};

type Action = (gateway: Gateway, body: Record<string, unknown>) => unknown;

/** An action with a validated body. Without a result, the control server returns the ground truth of the gateway. */
const action =
  <T>(shape: Shape<T>, act: (gateway: Gateway, args: T) => unknown): Action =>
  (gateway, body) =>
    act(gateway, read(shape, body));

const must = (ok: boolean, what: string) => {
  if (!ok) throw new Refused(409, what);
};

/** `{file: "corrupt", hold: 40}`; null or "" removes one fault, `{clear: true}` removes all. */
const fault: Action = (gateway, { clear, ...changes }) => {
  if (clear === true) Object.assign(gateway.faults, noFaults());
  for (const [name, value] of Object.entries(changes)) {
    const text = Array.isArray(value) ? value.join('+') : value === null ? '' : String(value);
    try {
      setFault(gateway.faults, name, text);
    } catch (error) {
      throw new Refused(400, error instanceof Error ? error.message : String(error));
    }
  }
};

const power = action(obj({ power: oneOf(['off', 'cut', 'on', 'reboot']) }), (gateway, { power: to }) =>
  to === 'reboot' ? gateway.reboot() : gateway.power(to),
);

const link: Action = (gateway, { force }) => {
  const forced = force === null || force === undefined ? undefined : read(oneOf(['lte', 'low_orbit', '6d', 'l_band', 'none']), force);
  must(forced === undefined || forced === 'none' || gateway.world.radio.has(forced), 'no such link');
  gateway.world.force(forced);
};

/** A MAC address in any usual notation. */
const anyMac = str(17, /^([0-9A-Fa-f]{2}[-:]?){5}[0-9A-Fa-f]{2}$|^([0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}$/);
const amount = int(0, 1_000_000_000_000);
const account = str(64, /^\S+$/);
const loginResult = (result: LoginResult) => ('why' in result ? { ok: false, why: result.why } : { ok: true, sid: result.session.sid });

/** `{acc, password}` is a login with all checks; without a password the session opens unchecked. */
const user = action(
  obj(
    { acc: account },
    {
      in: flag,
      fail: flag,
      why: oneOf(['user', 'kick', 'idle', 'quota', 'lost', 'password', 'expired', 'session']),
      password: str(128),
      mac: anyMac,
      ip: str(45, /^[0-9A-Fa-f.:]+$/),
      vlan: int(1, 4094),
      browses: flag,
    },
  ),
  async (gateway, { acc, in: enters = true, fail, why, password, browses, ...terminal }) => {
    if (fail) return gateway.users.refused(acc, why ?? 'password');
    if (password !== undefined) return loginResult(await gateway.users.login({ acc, password, ...terminal }, browses));
    if (enters) return void gateway.users.signIn(acc);
    const session = gateway.users.sessions.find((s) => s.acc === acc);
    must(session !== undefined, 'not signed in');
    gateway.users.signOut(session?.sid ?? '', why === 'password' || why === undefined ? 'user' : why);
  },
);

/** A session of the account transfers these bytes now; `report` sends them to the console at once. Returns what its quota allowed. */
const browse = action(obj({ acc: account, up: amount, down: amount }, { report: flag }), (gateway, { acc, up, down, report }) => {
  const passed = gateway.users.transfer(acc, { u: up, d: down });
  must(passed !== undefined, 'not signed in');
  if (report) gateway.world.reportTraffic();
  return { up: passed?.u ?? 0, down: passed?.d ?? 0 };
});

/** A terminal asks for a temporary release, then transfers these bytes; `report` sends them to the console at once. */
const release = action(
  obj({ mac: anyMac }, { purpose: oneOf(tempReleasePurposes), up: amount, down: amount, report: flag }),
  (gateway, { mac, purpose = 'user', up = 0, down = 0, report }) => {
    const result = gateway.requestTempRelease(mac, purpose);
    if (result.ok && up + down > 0) gateway.tempReleases.transfer(mac, { u: up, d: down });
    if (report) gateway.world.reportTraffic();
    return result;
  },
);

/** People on board open a website; `report` sends the hits to the console at once. `forget`: the list is lost. */
const danger = action(
  obj({}, { visit: str(253), times: int(1, 10_000), report: flag, forget: flag }),
  (gateway, { visit, times = 1, report, forget }) => {
    const blocked = Array.from({ length: visit === undefined ? 0 : times }, () => gateway.danger.visit(visit ?? '')).filter(Boolean).length;
    if (report) gateway.danger.report();
    if (forget) {
      gateway.danger.forget();
      gateway.sendHello();
    }
    return { blocked, ...gateway.danger.summary };
  },
);

/** `forget`: all accounts are lost, as after a factory reset; `passwords`: people on board learn theirs. */
const accounts = action(
  obj({}, { forget: flag, passwords: record(/^\S{1,64}$/, str(128), 20_000) }),
  (gateway, { forget, passwords = {} }) => {
    gateway.people.learn(passwords);
    if (!forget) return;
    gateway.people.loseAccounts();
    gateway.sendHello();
  },
);

const login = action(obj({ acc: account }, { ok: flag, ip: str(45) }), (gateway, { acc, ok = true, ip = '192.168.1.20' }) =>
  gateway.event('login', { acc, ok, ip }),
);

const ap = action(obj({ ap: str(64), up: flag }), (gateway, { ap: name, up }) =>
  must(gateway.world.lanSide.setAp(name, up), 'no such access point'),
);
const lan = action(obj({ port: int(0, 63), up: flag }), (gateway, { port, up }) =>
  must(gateway.world.lanSide.setPort(port, up), 'no such port'),
);

const goTo: Action = (gateway, body) =>
  gateway.world.goTo(body.lat === undefined ? undefined : read(obj({ lat: num(-90, 90), lon: num(-180, 180) }), body));

const local = action(obj({ section: str(64, sectionPattern), doc: document }), (gateway, { section, doc }) =>
  gateway.changeLocally(section, doc),
);

/** A local change of sections at the gateway, validated like a bundle of the console. */
const config = action(obj({ sections: record(sectionPattern, document, 400) }), (gateway, { sections }) => {
  const desired = new Map(Object.entries(sections).map(([name, doc]) => [name, { rev: 0, h: hashOf(doc), doc }]));
  const blame = validateBundle(desired, gateway.sections, new Set());
  if (blame) throw new Refused(409, blame.err);
  for (const [section, doc] of Object.entries(sections)) gateway.changeLocally(section, doc);
});

const pass = action(obj({ seconds: int(1, 86_400) }), (gateway, { seconds }) => gateway.pass(seconds));

const docker = action(
  obj({}, { crash: flag, container: str(128), act: oneOf(containerActs), image: str(255) }),
  (gateway, { crash, container, act, image }) => {
    if (crash) gateway.containers.crash();
    if (container !== undefined && act) must(gateway.containers.act(container, act, image), 'no such container');
  },
);

/** `{port}`: the gateway serves its portal on loopback; 0 is any free port. */
const portal = action(obj({}, { port: int(0, 65_535) }), async (gateway, { port }) => ({ port: await gateway.portalServer.listen(port) }));

const webPath = str(2000, /^\/[!-~]*$/);
const maxReply = 1_000_000;

/** A terminal opens a page of the portal, or sends a form. */
const phone = action(
  obj({}, { mac: anyMac, get: webPath, post: webPath, form: record(/^\w{1,40}$/, str(4000), 40), lang: oneOf(['zh', 'en']) }),
  async (gateway, { mac = testPhone, get, post, form = {}, lang = 'zh' }) => {
    const url = post ?? get ?? '/';
    const headers = { 'accept-language': lang, ...(post !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }) };
    const body = post === undefined ? undefined : Readable.from([Buffer.from(new URLSearchParams(form).toString())]);
    const method = post === undefined ? 'GET' : 'POST';
    const reply = await gateway.portalServer.respond({ method, url, headers, body, mac: normalMac(mac) });
    const text = reply.body instanceof Readable ? await readText(reply.body) : String(reply.body ?? '');
    return { status: reply.status, location: reply.headers.location ?? null, body: text.slice(0, maxReply) };
  },
);

/** A merchant code is entered at the gateway. */
const enrol = action(obj({ code: str(128) }), async (gateway, { code }) => {
  await gateway.connection.close(true);
  if (await gateway.connection.enrol(code)) await gateway.connect();
});

const violate = action(obj({ rule: oneOf(violations) }, { victim: str(64, snPattern) }), async (gateway, { rule, victim }) => {
  const client = gateway.connection.open;
  if (!client) throw new Refused(409, 'not connected');
  return breakRule(client, gateway.sn, rule, victim);
});

export const actions: Readonly<Record<string, Action>> = {
  fault,
  power,
  link,
  user,
  browse,
  release,
  accounts,
  danger,
  login,
  ap,
  port: lan,
  goto: goTo,
  local,
  config,
  pass,
  docker,
  portal,
  phone,
  enrol,
  violate,
};

const newGateway = obj({}, { ...traits, code: str(128), key: str(128), calm: flag });

/** Adds a gateway with a key, or with the merchant code for its enrolment. */
export const addGateway = (fleet: Fleet, common: FleetOptions, sn: string, body: unknown) => {
  read(str(64, snPattern), sn);
  return groundTruthOf(fleet.add({ ...common, ...placed(read(newGateway, body)), sn, faults: noFaults() }));
};
