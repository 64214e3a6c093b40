import { commandState } from '@farlink/contract/protocol/command.ts';
import { int, list, obj, parse, str } from '@farlink/gateway/protocol/shape.ts';
import type { MovedCommand, NewEvent } from './commit-items.ts';
import { lastOf, type Tx } from './tx.ts';

const longestLog = 4000;
/** Limit of containers per reply. */
const maxContainers = 500;

interface Line {
  readonly agent: number;
  readonly device: number;
  readonly sn: string;
  readonly container: string | null;
  readonly image?: unknown;
  /** Status of the container; of Docker on the device when there is no container. */
  readonly status: number | null;
  readonly action?: unknown;
  readonly cpu?: unknown;
  readonly memory?: unknown;
  readonly content: string | null;
  readonly result: 'success' | 'fail';
  readonly operator?: string | null;
  readonly at: number;
}

const logSql = `
  insert into docker_log (agent_id, device_id, sn, container, image, docker_status, action, cpu, memory, content, result, operator, create_at)
  select u.agent, d.id, u.sn, u.container, u.image, coalesce(u.status, d.docker_status), u.action, u.cpu, u.memory, u.content, u.result, u.operator, u.at
  from json_to_recordset($1::json) as u(agent bigint, device bigint, sn text, container text, image text, status smallint, action text, cpu smallint,
    memory bigint, content text, result text, operator text, at bigint, ordinal bigint) join device d on d.id = u.device
  order by u.ordinal`;

const putSql = `
  insert into device_container as c (device_id, name, image, status, cpu, memory, at)
  select u.device, u.container, u.image, u.status, u.cpu, u.memory, u.at
  from json_to_recordset($1::json) as u(device bigint, container text, image text, status smallint, cpu smallint, memory bigint, at bigint)
  where exists (select from device_container k where k.device_id = u.device and k.name = u.container)
    or (select count(*) from device_container k where k.device_id = u.device) < ${maxContainers}
  on conflict (device_id, name) do update set image = coalesce(excluded.image, c.image), status = excluded.status, cpu = excluded.cpu,
    memory = excluded.memory, at = excluded.at
  where excluded.at >= c.at`;

const removeSql = `
  delete from device_container c using json_to_recordset($1::json) as u(device bigint, container text, at bigint)
  where c.device_id = u.device and c.name = u.container and c.at <= u.at`;

/** A complete report lists all containers, so others are deleted. */
const keepSql = `
  delete from device_container c using json_to_recordset($1::json) as u(device bigint, names text[], at bigint)
  where c.device_id = u.device and c.at <= u.at and not c.name = any(u.names)`;

/** One failed container makes Docker abnormal. Only a complete report can reset this. */
const brokenSql = 'update device set docker_status = 2 where id = any($1::bigint[]) and docker_status in (1, 4)';
const wholeSql = `
  update device d set docker_status = s.status
  from (
    select i.id, case when count(c.name) = 0 then 4 when bool_or(c.status = 2) then 2 else 1 end as status
    from unnest($1::bigint[]) as i(id) left join device_container c on c.device_id = i.id group by i.id
  ) s
  where d.id = s.id and d.docker_status in (1, 2, 4) and d.docker_status <> s.status`;

const writeLog = async (tx: Tx, lines: readonly Line[]) => {
  if (lines.length > 0) await tx.query('docker_log', logSql, [JSON.stringify(lines.map((line, index) => ({ ...line, ordinal: index })))]);
};
const put = async (tx: Tx, lines: readonly Line[]) => {
  const last = lastOf(lines, ({ device, container }) => `${device} ${container}`);
  if (last.length > 0) await tx.query('container_put', putSql, [JSON.stringify(last)]);
};

const isGone = ({ action, result }: Line) => action === 'uninstall' && result === 'success';
const remove = async (tx: Tx, lines: readonly Line[]) => {
  if (lines.length > 0) await tx.query('container_remove', removeSql, [JSON.stringify(lines)]);
};

const lineOf = ({ agent, device, sn, at, doc }: NewEvent): Line => ({
  agent,
  device,
  sn,
  at,
  container: String(doc.name),
  image: doc.img,
  status: Number(doc.st),
  action: doc.act,
  cpu: doc.cpu,
  memory: doc.mem,
  content: typeof doc.log === 'string' ? doc.log : null,
  result: doc.ok === false || doc.ok === 0 ? 'fail' : 'success',
});

export const storeContainerEvents = async (tx: Tx, events: readonly NewEvent[]) => {
  const lines = events.map(lineOf).toSorted((a, b) => a.at - b.at);
  await writeLog(tx, lines);
  const last = lastOf(lines, ({ device, container }) => `${device} ${container}`);
  await put(
    tx,
    last.filter((line) => !isGone(line)),
  );
  await remove(tx, last.filter(isGone));
  const broken = last.filter((line) => line.status === 2).map((line) => line.device);
  if (broken.length > 0) await tx.query('docker_broken', brokenSql, [broken]);
};

const reply = obj({
  containers: list(
    obj({ name: str(128), st: int(0, 4) }, { image: str(255), cpu: int(0, 100), mem: int(0, Number.MAX_SAFE_INTEGER), log: str(65_536) }),
    maxContainers,
  ),
});

interface ContainerReport {
  readonly lines: readonly Line[];
  /** The reply contains all containers of the gateway. */
  readonly whole: boolean;
}

const actions: readonly unknown[] = ['start', 'stop', 'restart', 'install', 'uninstall'];

const reportOf = ({ agent_id, device_id, sn, args, state, out, err, operator }: MovedCommand, now: number): ContainerReport => {
  const container = typeof args.container === 'string' ? args.container : null;
  const action = actions.includes(args.act) ? args.act : undefined;
  const from = { agent: agent_id, device: device_id, sn, action, operator, at: now };
  const failed = (content: string): ContainerReport => ({
    lines: [{ ...from, container: container, status: null, content, result: 'fail' }],
    whole: false,
  });
  if (state !== commandState.id('done')) return failed(err ?? 'no answer');
  const parsed = parse(reply, out);
  if ('reason' in parsed) return failed('unreadable');
  const lines = parsed.value.containers.map(
    ({ name, st, image, cpu, mem, log }): Line => ({
      ...from,
      container: name,
      image,
      status: st,
      cpu,
      memory: mem,
      content: log?.slice(-longestLog) ?? null,
      result: 'success',
    }),
  );
  const none: Line = { ...from, container: container, status: null, content: action ? null : 'no containers', result: 'success' };
  return { lines: lines.length > 0 ? lines : [none], whole: container === null };
};

/** Stores replies to container queries and container actions. */
export const storeContainers = async (tx: Tx, commands: readonly MovedCommand[]) => {
  const reports = commands.filter((c) => c.state >= commandState.id('done')).map((c) => reportOf(c, tx.now));
  const lines = reports.flatMap((t) => t.lines);
  await writeLog(tx, lines);
  await put(
    tx,
    lines.filter((line) => line.result === 'success' && line.status !== null && !isGone(line)),
  );
  await remove(tx, lines.filter(isGone));
  const whole = reports.flatMap(({ lines: [first, ...rest], whole: isWhole }) => {
    if (!isWhole || !first) return [];
    return [{ device: first.device, names: [first, ...rest].flatMap((l) => (l.status === null ? [] : (l.container ?? []))), at: tx.now }];
  });
  if (whole.length === 0) return;
  await tx.query('container_keep', keepSql, [JSON.stringify(whole)]);
  await tx.query('docker_whole', wholeSql, [whole.map((w) => w.device)]);
};
