import type { runCalls as calls } from '@farlink/contract/config/run.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { checkValues, factoryDocs } from '@farlink/gateway/kit/config.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { isFile } from '@farlink/gateway/kit/rules.ts';
import { isHeavyRun } from '@farlink/gateway/kit/run.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { requirePage } from '../../../domain/config/access.ts';
import { docsOf, inForce } from '../../../domain/config/documents.ts';
import { withKeptSecrets } from '../../../domain/config/kept-secrets.ts';
import { missingFiles } from '../../../domain/config/stored-files.ts';
import { calledOf, lockTarget, subjectOf, type Target } from '../../../domain/config/target.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { sendCommand } from '../../../orders/command.ts';
import { notifyChange } from '../../../orders/notify.ts';
import { refuseProblems } from '../core/draft.ts';
import { idOf } from './run-id.ts';
import { sourcesOf } from './run-sources.ts';

/** Seconds until a run must start; a heavy run waits longer for a link with enough bandwidth. */
const patienceS = 900;
const heavyPatienceS = 86_400;
const maxBytes = linkClasses['6d'].downBytes;
const tooLong: Text = ['内容过长，无法一次下发', 'Too long to send at once'];

const pagesNamed = (fields: Fields): string[] =>
  Object.values(fields).flatMap((field) => [...(field.of ?? []), ...(field.items ? pagesNamed(field.items) : [])]);

/** Validates values of a page that is not a section against the documents in force at the gateway. */
export const readValues = async (
  ctx: Ctx,
  device: Target,
  page: GatewayPage,
  raw: Readonly<Record<string, unknown>>,
): Promise<JsonObject> => {
  const docs = await docsOf(ctx.db, device.id, [...new Set(pagesNamed(page.fields))], ctx.deps.config.secretKey);
  const { doc, problems } = checkValues(page, raw, (section) => {
    const now = docs.get(section);
    return now ? inForce(now) : (factoryDocs.get(section) ?? {});
  });
  // Such a page stores nothing, so there is no stored secret to keep.
  const unknown = withKeptSecrets(page, raw, []).problems;
  refuseProblems([...unknown, ...problems, ...(await missingFiles(ctx, page, doc, []))]);
  return doc;
};

/** Arguments for display: secrets are masked, files are shown by name. */
export const openArgs = (page: GatewayPage, args: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, Json] => [
      name,
      page.fields[name]?.secret ? '******' : isFile(value) ? value.name : value,
    ]),
  );

const seconds = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

/** Latest end of the run; durations in the arguments are added. */
const deadlineOf = (args: JsonObject, heavy: boolean, now: number): number => {
  const ahead = Math.max(0, seconds(args.start_at) - now);
  const duration =
    seconds(args.delay) + 2 * seconds(args.duration) + seconds(args.count) * seconds(args.timeout) + seconds(args.rollback) * 60;
  return now + ahead + duration + (heavy ? heavyPatienceS : patienceS);
};

const refuseTooMany = async ({ db }: Ctx, device: Target) => {
  const open = await db
    .selectFrom('device_command')
    .select('id')
    .where('device_id', '=', device.id)
    .where('op', '=', 'page.run')
    .where('state', '<', commandState.ids.done)
    .execute();
  if (open.length >= limits.runsPerDevice) throw fail('run_busy');
};

export const startRun: Handler<typeof calls.run> = async (ctx, input) => {
  const device = await lockTarget(ctx, input.device_id);
  const page = requirePage(ctx.me, input.page, 'write');
  if (page.kind !== 'action' || page.quick !== undefined) throw fail('not_found');
  const args = await readValues(ctx, device, page, input.args);
  const heavy = isHeavyRun(page.key, args);
  if (heavy && device.online_state === 1 && !linkClasses[device.network].allowsHeavy) throw fail('run_l_band');
  await refuseTooMany(ctx, device);
  const now = ctx.now();
  const deadline = deadlineOf(args, heavy || args.allow_lband === true, now);
  const { more, upload, isBackup } = await sourcesOf(ctx, device, page, args, deadline + 86_400);
  const body = { page: page.key, args, ...(!heavy && { any: true }), ...more };
  if (Buffer.byteLength(JSON.stringify(body)) > maxBytes) throw failAt(page.fields.content ? 'content' : '', tooLong);
  const command_id = await sendCommand(ctx.db, device.id, 'page.run', body, { now, deadline, by: ctx.me });
  if (isBackup && upload !== undefined)
    await ctx.db
      .insertInto('backup_order')
      .values({
        id: upload,
        device_id: device.id,
        command_id,
        backup_type: 'manual',
        operator: ctx.me.name,
        remark: String(args.note ?? '') || null,
        create_at: now,
      })
      .execute();
  await notifyChange(ctx.db, 'command', [device.id]);
  const [zh, en] = page.title;
  record(ctx, [`在设备 ${calledOf(device)} 上执行“${zh}”`, `Ran ${en} on device ${calledOf(device)}`], {
    after: { [page.key]: openArgs(page, args) },
    subject: subjectOf(device),
  });
  return { id: idOf(command_id) };
};
