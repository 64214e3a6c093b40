import type { Origin } from '@farlink/contract/config/config.ts';
import type { TemplatePart, TemplateVariable } from '@farlink/contract/config/config-template.ts';
import { factoryOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { open } from '../../kit/session/secret.ts';
import { effective, type Layer } from './layers.ts';
import { openTemplatePart } from './template-part.ts';
import type { Lookup, VariableValue } from './variables.ts';

/** Document that a device inherits, without its own values. */
export interface Inherited {
  readonly doc: JsonObject;
  /** By field, or by row key and `key.field`. A path that is missing is the factory default. */
  readonly origins: Readonly<Record<string, Origin>>;
}

export interface InheritingDevice {
  readonly id: number;
  readonly agent_id: number;
  readonly device_group_id: number | null;
}

interface Template {
  readonly id: number;
  readonly level: Origin['from'];
  readonly name: string;
  readonly agent_id: number;
  readonly device_group_id: number | null;
  readonly variables: readonly TemplateVariable[];
  readonly section: string;
  readonly part: TemplatePart;
}
interface DeviceBranch {
  readonly id: number;
  readonly name: string;
  readonly sn: string;
  readonly path: string;
  readonly vno_name: string;
  readonly device_group_id: number | null;
  readonly group_name: string | null;
}
interface Setting {
  readonly level: 'vno' | 'group' | 'device';
  readonly target: number;
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
}

/** Templates from the farthest to the nearest level, so that each one overrides those before it. */
const templatesSql = (
  agents: readonly number[],
  groups: readonly number[],
  sections: readonly string[],
  previewed: number | null,
) => sql<Template>`
  select t.id, t.level, t.name, t.agent_id, t.device_group_id, t.variables, p.section, p.part
  from config_template t join agent a on a.id = t.agent_id join config_template_part p on p.template_id = t.id
  where (t.enabled or t.id = ${previewed}) and p.section = any(${sections}::text[])
    and case when t.level = 'group' then t.device_group_id = any(${groups}::bigint[]) else t.agent_id = any(${agents}::bigint[]) end
  order by t.level = 'group', a.agent_level, t.rank, t.id`;

const branchesSql = (ids: readonly number[]) => sql<DeviceBranch>`
  select d.id, d.name, d.sn, a.path, a.name as vno_name, d.device_group_id, g.name as group_name
  from device d join agent a on a.id = d.agent_id left join device_group g on g.id = d.device_group_id where d.id = any(${ids}::bigint[])`;

const settingsSql = (ids: readonly number[], agents: readonly number[], groups: readonly number[]) => sql<Setting>`
  select level, agent_id as target, name, value, secret from config_variable where level = 'vno' and agent_id = any(${agents}::bigint[])
  union all
  select level, device_group_id, name, value, secret from config_variable where device_group_id = any(${groups}::bigint[])
  union all
  select level, device_id, name, value, secret from config_variable where device_id = any(${ids}::bigint[])`;

const agentsOf = ({ path }: DeviceBranch) => path.split('/').filter(Boolean).map(Number);

/** Inheritance of several devices, read with a constant number of queries. */
export interface Inheritance {
  readonly branches: ReadonlyMap<number, DeviceBranch>;
  /** From the farthest to the nearest. */
  layersOf(device: number, page: GatewayPage): readonly Layer[];
}

/** `previewed`: a template that counts as enabled. */
export const inheritanceOf = async (
  db: Db,
  ids: readonly number[],
  sections: readonly string[],
  secretKey: Buffer,
  previewed: number | null = null,
): Promise<Inheritance> => {
  const { rows } = await branchesSql(ids).execute(db);
  const branches = new Map(rows.map((branch) => [branch.id, branch]));
  const agents = [...new Set(rows.flatMap(agentsOf))];
  const groups = [...new Set(rows.flatMap(({ device_group_id }) => device_group_id ?? []))];
  const [templates, settings] = await Promise.all([
    templatesSql(agents, groups, sections, previewed).execute(db),
    settingsSql(ids, agents, groups).execute(db),
  ]);
  const ofSection = Map.groupBy(
    templates.rows.flatMap((template) => {
      const page = gatewayPages.get(template.section);
      return page ? [{ ...template, part: openTemplatePart(page, template.part, secretKey), origin: originOf(template) }] : [];
    }),
    ({ section }) => section,
  );
  const values = Map.groupBy(settings.rows, ({ level, target }) => `${level} ${target}`);
  const known = new Map<number, ReadonlyMap<string, ResolvedValue>>();
  const valuesOf = (branch: DeviceBranch) => {
    const before = known.get(branch.id);
    if (before) return before;
    const from = [...agentsOf(branch).map((id) => `vno ${id}`), `group ${branch.device_group_id}`, `device ${branch.id}`];
    const found = new Map<string, ResolvedValue>(builtIn(branch));
    for (const { level, target, name, value, secret } of from.flatMap((key) => values.get(key) ?? []))
      found.set(name, { value: secret ? open(secretKey, value) : value, secret, ...(level === 'vno' && { by: target }) });
    known.set(branch.id, found);
    return found;
  };
  return {
    branches,
    layersOf: (device, page) => {
      const branch = branches.get(device);
      if (!branch) return [];
      const above = agentsOf(branch);
      return (ofSection.get(page.key) ?? [])
        .filter(({ level, agent_id, device_group_id }) =>
          level === 'group' ? device_group_id === branch.device_group_id : above.includes(agent_id),
        )
        .map(({ origin, part, variables, agent_id }) => {
          const higher = above.slice(0, above.indexOf(agent_id));
          return { origin, part, lookup: lookupOf(valuesOf(branch), variables, higher) };
        });
    },
  };
};

/** `by`: the VNO that set the value for all its devices. */
type ResolvedValue = VariableValue & { readonly by?: number };

const originOf = ({ level, name }: Template): Origin => ({ from: level, name });

const builtIn = ({ name, sn, vno_name, group_name }: DeviceBranch): [string, VariableValue][] => [
  ['device.name', { value: name }],
  ['device.sn', { value: sn }],
  ['vno.name', { value: vno_name }],
  ...(group_name === null ? [] : [['group.name', { value: group_name }] satisfies [string, VariableValue]]),
];

const lookupOf = (
  values: ReadonlyMap<string, ResolvedValue>,
  variables: readonly TemplateVariable[],
  higher: readonly number[],
): Lookup => {
  const defaults = new Map(variables.flatMap(({ name, value }) => (value ? [[name, { value }] as const] : [])));
  return (name) => {
    const found = values.get(name);
    const isClosed = found?.secret === true && found.by !== undefined && higher.includes(found.by);
    return found && isClosed ? { ...found, closed: true } : (found ?? defaults.get(name));
  };
};

/** Same for several pages of one device, with one read. */
export const inheritedOfAll = async (
  db: Db,
  device: number,
  sections: readonly string[],
  secretKey: Buffer,
): Promise<(page: GatewayPage) => Inherited> => {
  const { layersOf } = await inheritanceOf(db, [device], sections, secretKey);
  return (page) => effective(page, layersOf(device, page), { doc: factoryOf(page), own: [] });
};

export const inheritedOf = async (db: Db, device: InheritingDevice, section: string, secretKey: Buffer): Promise<Inherited> => {
  const page = gatewayPages.get(section);
  if (!page) return { doc: {}, origins: {} };
  return (await inheritedOfAll(db, device.id, [section], secretKey))(page);
};
