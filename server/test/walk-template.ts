import { sealSpec } from '../src/domain/config/campaign/campaign-spec.ts';
import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** A template, a variable and a campaign of the victim. */
export const makeVictimTemplate = async (api: Api, { agentId, deviceId, mark }: Victim) => {
  const stamp = { operator: mark, create_at: 1, update_at: 1 };
  const template = await api.db
    .insertInto('config_template')
    .values({ level: 'vno', agent_id: agentId, name: `${mark} template`, pages: ['network_dns'], past_pages: ['network_dns'], ...stamp })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db
    .insertInto('config_template_part')
    .values({ template_id: template.id, section: 'network_dns', part: JSON.stringify({ set: { min_ttl: 60 } }) })
    .execute();
  const variable = await api.db
    .insertInto('config_variable')
    .values({ level: 'device', agent_id: agentId, device_id: deviceId, name: 'zeta', value: mark, ...stamp })
    .returning('id')
    .executeTakeFirstOrThrow();
  const spec = { kind: 'template', template_id: template.id, sections: ['network_dns'] } as const;
  const campaign = await api.db
    .insertInto('config_campaign')
    .values({
      kind: 'template',
      agent_id: agentId,
      title_zh: mark,
      title_en: mark,
      operator: mark,
      spec: sealSpec(spec, api.deps.config.secretKey),
      pages: ['network_dns'],
      state: 'running',
      keep: 0,
      device_count: 1,
      create_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db
    .insertInto('config_campaign_device')
    .values({
      campaign_id: campaign.id,
      device_id: deviceId,
      agent_id: agentId,
      device_name: mark,
      sn: mark,
      state: 'refused',
      update_at: 1,
    })
    .execute();
  const under = (path: string, suffixes: readonly string[], id: number) =>
    suffixes.map((suffix): [string, number] => [`${path}${suffix}`, id]);
  return {
    rows: Object.fromEntries([
      ...under('device/config/template/{id}', ['', '/enable', '/preview', '/apply'], template.id),
      ...under('device/config/campaign/{id}', ['', '/device', '/stop', '/retry'], campaign.id),
      ...under('device/config/variable/{id}', [''], variable.id),
    ]),
  };
};
