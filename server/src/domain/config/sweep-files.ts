import type { Fields } from '@farlink/contract/kit/field.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import { fileKey } from '../../config-doc/files.ts';
import { openDoc } from '../../config-doc/sealed.ts';
import type { Deps } from '../../kit/deps.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { openSpec } from './campaign/campaign-spec.ts';
import { lockFile } from './stored-files.ts';
import { openTemplatePart } from './template-part.ts';

const day = 86_400;
/** Longer than a form or a gateway command can refer to a file that is not yet in a document. */
const keepS = 30 * day;
const devicesAtOnce = 200;

const takesFile = (fields: Fields): boolean =>
  Object.values(fields).some(({ kind, items }) => kind === 'file' || (items && takesFile(items)));
const pages: ReadonlyMap<string, GatewayPage> = new Map([...gatewayPages].filter(([, { fields }]) => takesFile(fields)));
const sections = [...pages.keys()];

/** Collects all file hashes in a value. */
const collect = (value: Json | undefined, found: Set<string>) => {
  if (Array.isArray(value)) for (const one of value) collect(one, found);
  else if (isRecord(value))
    for (const [name, one] of Object.entries(value))
      if (name === 'sha256' && typeof one === 'string') found.add(one);
      else collect(one, found);
};

/** Files referenced by devices: reported, desired, drafts and all revisions, because a revision can be restored. */
const usedByDevices = async ({ db, config }: Deps, found: Set<string>, signal: AbortSignal) => {
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const devices = await db.selectFrom('device').select('id').where('id', '>', after).orderBy('id').limit(devicesAtOnce).execute();
    const last = devices.at(-1);
    if (!last) return;
    const ids = devices.map(({ id }) => id);
    const { rows } = await sql<{ section: string; doc: JsonObject }>`
      ${sql.join(
        ['config_draft', 'config_revision', 'desired_section', 'reported_section'].map(
          (table) =>
            sql`select section, doc from ${sql.table(table)} where device_id = any(${ids}) and section = any(${sections}) and doc is not null`,
        ),
        sql` union all `,
      )}`.execute(db);
    for (const { section, doc } of rows) {
      const page = pages.get(section);
      if (page) collect(openDoc(page, doc, config.secretKey), found);
    }
    after = last.id;
  }
};

/** Files referenced by templates and by campaigns that can be run again. */
const usedByTemplates = async ({ db, config }: Deps, found: Set<string>) => {
  const templateParts = await db.selectFrom('config_template_part').select(['section', 'part']).where('section', 'in', sections).execute();
  for (const { section, part } of templateParts) {
    const page = pages.get(section);
    if (page) collect(JSON.parse(JSON.stringify(openTemplatePart(page, part, config.secretKey))), found);
  }
  const campaigns = await db
    .selectFrom('config_campaign')
    .select('spec')
    .where('kind', '<>', 'template')
    .where(sql<boolean>`pages && ${sections}::text[]`)
    .execute();
  for (const { spec } of campaigns) collect(JSON.parse(JSON.stringify(openSpec(spec, config.secretKey))), found);
};

/** Deletes old file contents that are not referenced any more. */
export const sweepConfigFiles = async ({ deps, signal }: Pick<JobRun, 'deps' | 'signal'>) => {
  const { db, clock, config } = deps;
  const before = clock.now() - keepS;
  const old = await db.selectFrom('config_file').select(['sha256', 'sealed']).where('create_at', '<', before).execute();
  if (old.length === 0) return;
  const used = new Set<string>();
  await usedByDevices(deps, used, signal);
  await usedByTemplates(deps, used);
  const store = openFileStore(config);
  for (const { sha256, sealed } of old.filter((one) => !used.has(one.sha256)))
    await db.transaction().execute(async (tx) => {
      const key = fileKey(sha256, sealed);
      await lockFile(tx, key);
      const { numDeletedRows } = await tx
        .deleteFrom('config_file')
        .where('sha256', '=', sha256)
        .where('sealed', '=', sealed)
        .where('create_at', '<', before)
        .executeTakeFirst();
      if (numDeletedRows > 0n) await store.remove(key);
    });
};

export const configFileJobs: JobKinds = { config_file_sweep: { run: sweepConfigFiles, everyS: day } };
