import { Readable } from 'node:stream';
import { backup, backupCalls } from '@farlink/contract/device/backup.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import type { Deps } from '../../../kit/deps.ts';
import type { ExportBuilder, ExportBuilders } from '../../../kit/export/export-job.ts';
import { exportLog } from '../../../kit/export/export-log.ts';
import type { Row } from '../../../kit/export/export-rows.ts';
import { requestExport } from '../../../kit/export/export-task.ts';
import { fail, Refusal } from '../../../kit/fail.ts';
import { openFileStore } from '../../../kit/files/open-file-store.ts';
import { fileCellOf, headText } from '../../../kit/formats/cell.ts';
import { csv } from '../../../kit/formats/csv.ts';
import { xlsx } from '../../../kit/formats/xlsx.ts';
import { type ZipEntry, zipFiles } from '../../../kit/formats/zip-files.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { backupQuery } from './backup-query.ts';

export const exportBackups: Handler<typeof backupCalls.export> = async (ctx, { ids, format }) => {
  const rows = await backupQuery(ctx.db, ctx).where('device_backup.id', 'in', ids).execute();
  if (rows.length !== ids.length) throw fail('not_found');
  return requestExport(ctx, {
    call: backupCalls.export,
    title: ['配置备份', 'backups'],
    format: 'zip',
    input: { ids, list: format ?? 'csv' },
  });
};

const key = operateKey(backupCalls.export);

export const listBackupExports: Handler<typeof backupCalls.exports> = async (ctx, input) => {
  const listing = await pageOf(ctx.db, backupCalls.exports, input, exportLog(ctx, [key]));
  return { ...listing, list: listing.list.map(({ payload: _, ...row }) => row) };
};

const listOf = (rows: readonly Row[], format: unknown, lang: Lang): ZipEntry => {
  const columns = backup.columns.map((name) => ({ name, field: backup.fields[name] }));
  const header = columns.map(({ field }) => headText(field, lang));
  async function* cells() {
    yield rows.map((row) => columns.map(({ name, field }) => fileCellOf(field, row[name], lang, zoneMinutes)));
  }
  const isSheet = format === 'xlsx';
  const source = Readable.from(isSheet ? xlsx(header, cells()) : csv(header, cells()));
  const name = say(['备份清单', 'backups'], lang);
  return { name: `${name}.${isSheet ? 'xlsx' : 'csv'}`, source, at: Math.max(...rows.map((row) => Number(row.create_at))) };
};

/** Returns undefined if newer backups replaced the file since the export was requested. */
const open = async ({ config }: Deps, fileKey: string) => {
  try {
    return await openFileStore(config).get(fileKey);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
};

const sourceOf: ExportBuilder = (deps, { me, lang }, { ids, list }) => {
  const chosen = Array.isArray(ids) ? ids.map(Number) : [];
  const query = backupQuery(deps.db, { me, lang })
    .select('device_backup.key')
    .where('device_backup.id', 'in', [...chosen, 0]);
  async function* entries(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<ZipEntry> {
    const all: Row[] = [];
    const names = new Set<string>();
    for await (const batch of batches)
      for (const row of batch) {
        const source = await open(deps, String(row.key));
        if (!source) continue;
        const plain = String(row.file_name);
        const name = names.has(plain) ? `${row.id}-${plain}` : plain;
        names.add(name);
        all.push({ ...row, file_name: name });
        yield { name, source, at: Number(row.create_at) };
      }
    yield listOf(all, list, lang);
  }
  return { query, resource: backup, print: (batches) => zipFiles(entries(batches)) };
};

export const backupExports: ExportBuilders = { [key]: sourceOf };
