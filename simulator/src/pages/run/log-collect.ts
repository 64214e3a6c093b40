import { gzipSync } from 'node:zlib';
import { mapSecrets } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../../gateway-internals.ts';
import { logPages } from '../registry.ts';
import type { LogRow } from '../row.ts';
import { ActionFault, type RunHandler } from './action-run.ts';
import { stampOf, uploadFile } from './upload-file.ts';

const contents: Readonly<Record<string, readonly string[]>> = {
  system: ['status_system_log', 'reporter_log'],
  satellite: ['satellite_route_signal_log'],
  links: ['link_change_log', 'arbiter_decision_log'],
  auth: ['auth_log'],
  wireless: ['auth_log'],
  docker: ['docker_log'],
};
const maxLines = 5000;

/** Removes secrets from the configuration. */
export const openDocuments = (gateway: GatewayInternals): JsonObject =>
  Object.fromEntries(
    Object.entries(gateway.sections.documents()).map(([name, doc]) => {
      const page = gatewayPages.get(name);
      return [name, page ? mapSecrets(page, doc, () => '******') : doc];
    }),
  );

const masked = (row: LogRow): LogRow => {
  const hidden = ['account', 'user', 'mac', 'identity'].filter((name) => typeof row[name] === 'string' && row[name] !== '');
  return { ...row, ...Object.fromEntries(hidden.map((name) => [name, `${String(row[name]).slice(0, 2)}***`])) };
};

export const collectLogs: RunHandler = async (run): Promise<JsonObject> => {
  const from = run.number('from_time');
  const to = run.number('to_time');
  const selected = Object.entries(contents).filter(([name]) => run.flag(name));
  if (selected.length === 0) throw new ActionFault('nothing selected');
  const content: Record<string, unknown> = { sn: run.gateway.sn, version: run.gateway.firmware.version, from, to };
  for (const [i, [name, pages]] of selected.entries()) {
    await run.wait(2);
    const rows = pages.flatMap((page) => {
      const found: LogRow[] = [];
      for (const row of logPages[page]?.(run.snapshot, to + 1) ?? []) {
        if (row.time < from || found.length >= maxLines) break;
        found.push(run.flag('mask') ? masked(row) : row);
      }
      return found;
    });
    content[name] = rows;
    run.print(`${name}: ${rows.length} lines`, ((i + 1) / selected.length) * 70);
  }
  if (run.flag('include_config')) {
    content.config = openDocuments(run.gateway);
    run.print('configuration without secrets');
  }
  const body = gzipSync(JSON.stringify(content));
  if (body.length > run.number('max_size', 20) * 1_000_000) throw new ActionFault(`larger than ${run.number('max_size')} MB`);
  const name = `${stampOf(run)}-logs.json.gz`;
  run.print(`${name}: ${body.length} bytes`, 75);
  return run.flag('upload') ? { file: await uploadFile(run, name, body) } : { name, size: body.length };
};
