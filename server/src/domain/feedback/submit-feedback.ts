import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FeedbackLevel, FeedbackType } from '@farlink/contract/feedback/choices.ts';
import { submitFields, submitTexts } from '@farlink/contract/feedback/submit.ts';
import { check } from '@farlink/contract/kit/check.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { limits } from '@farlink/contract/limits.ts';
import { plainPhone } from '@farlink/contract/phone.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { type CleanImage, cleanImage } from '../../kit/formats/clean-image.ts';
import { isWellFormed } from '../../kit/http/well-formed.ts';
import { cancelJob, enqueue } from '../../kit/jobs/job.ts';

export interface NewFeedback {
  readonly agent_id: number;
  readonly device_id: number | null;
  readonly subscriber_id: number | null;
  readonly account: string;
  /** Of the client, if the gateway has proven it. */
  readonly mac?: string | null;
  readonly phone: string | null;
  readonly type: FeedbackType;
  readonly level: FeedbackLevel;
  readonly content: string;
  /** JPEG or PNG files, as received. */
  readonly attachments: readonly Uint8Array[];
}

const dayS = 86_400;
/** Seconds after which the image of a failed submission is deleted. */
const graceS = 3600;
/** Large enough to read a photographed screen. */
const imageSize = { width: 1920, height: 1920 };

/** The portal runs the same check; this one also covers other callers. */
const refuseInvalid = (input: NewFeedback, now: number) => {
  const { type, level, content, phone } = input;
  const { errors } = check(submitFields, { type, level, content: content.trim(), phone }, { passwordRule: defaultPasswordRule, now });
  if (Object.keys(errors).length > 0) throw fail('bad_input', { fields: errors });
  if (!isWellFormed(content)) throw failAt('content', submitTexts.content);
  if (input.attachments.length > limits.feedbackImages) throw failAt('attachments', submitTexts.images);
  if (input.attachments.some((bytes) => bytes.length > limits.imageBytes)) throw failAt('attachments', submitTexts.image);
};

const countSince = async (db: Db, since: number, where: RawBuilder<SqlBool>) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from feedback where create_at > ${since} and ${where}`.execute(db);
  return rows[0]?.n ?? 0;
};

/** The account and the client are limited separately, so neither many accounts nor many phones get around the limit. */
const refuseTooMany = async (db: Db, { account, mac }: NewFeedback, now: number) => {
  const byAccount = await countSince(db, now - dayS, sql<SqlBool>`lower(account) = ${account.toLowerCase()}`);
  const byClient = mac ? await countSince(db, now - dayS, sql<SqlBool>`mac = ${mac.toLowerCase()}`) : 0;
  if (Math.max(byAccount, byClient) >= limits.feedbackPerDay) throw fail('too_many_feedback');
};

const cleanAll = async (attachments: readonly Uint8Array[]): Promise<readonly CleanImage[]> => {
  const images: CleanImage[] = [];
  // One after the other, because each decoded photo needs about 100 MB.
  for (const bytes of attachments) {
    const image = await cleanImage(bytes, imageSize);
    if (!image) throw failAt('attachments', submitTexts.image);
    images.push(image);
  }
  return images;
};

interface StoredImage {
  readonly image: CleanImage;
  readonly key: string;
  /** Job that deletes the file unless the feedback is stored. */
  readonly removal: number;
}

const storeImages = async ({ db, config, clock }: FeedbackDeps, images: readonly CleanImage[]): Promise<readonly StoredImage[]> => {
  const store = openFileStore(config);
  const stored: StoredImage[] = [];
  for (const image of images) {
    const key = `feedback/${randomUUID()}.${image.mime === 'image/png' ? 'png' : 'jpg'}`;
    const now = clock.now();
    const removal = await enqueue(db, now, { kind: 'remove_file', payload: { key }, runAt: now + graceS });
    await store.put(key, Readable.from([image.bytes]), image.bytes.length);
    stored.push({ image, key, removal });
  }
  return stored;
};

/** Requests of one account or client wait for each other, so two at once cannot exceed the limit. */
const lockSender = async (db: Db, { account, mac }: NewFeedback) => {
  const names = [`feedback ${account.toLowerCase()}`, ...(mac ? [`feedback ${mac.toLowerCase()}`] : [])].sort();
  for (const name of names) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
};

const insertFeedback = async (db: Db, input: NewFeedback, images: readonly StoredImage[], now: number) => {
  const device =
    input.device_id === null ? undefined : await db.selectFrom('device').select('sn').where('id', '=', input.device_id).executeTakeFirst();
  const { agent_id, device_id, subscriber_id, account, phone, type, level } = input;
  const { id } = await db
    .insertInto('feedback')
    .values({
      agent_id,
      device_id,
      subscriber_id,
      account,
      phone: plainPhone(phone ?? '') || null,
      type,
      level,
      content: input.content.trim(),
      mac: input.mac?.toLowerCase() ?? null,
      sn: device?.sn ?? null,
      attach_count: images.length,
      create_at: now,
      update_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [position, { image, key, removal }] of images.entries()) {
    const { mime, width, height } = image;
    const row = { feedback_id: id, position, file_key: key, mime, size: image.bytes.length, width, height };
    await db.insertInto('feedback_image').values(row).execute();
    await cancelJob(db, now, removal);
  }
  return { id };
};

type FeedbackDeps = Pick<Deps, 'db' | 'config' | 'clock'>;

/** Stores the feedback of a subscriber. The portal is the only caller, and has proven who the subscriber is. */
export const submitFeedback = async (deps: FeedbackDeps, input: NewFeedback): Promise<{ id: number }> => {
  const now = deps.clock.now();
  refuseInvalid(input, now);
  // Checked before the images are decoded, which is expensive, and again under the lock.
  await refuseTooMany(deps.db, input, now);
  const images = await storeImages(deps, await cleanAll(input.attachments));
  return deps.db.transaction().execute(async (db) => {
    await lockSender(db, input);
    await refuseTooMany(db, input, now);
    return insertFeedback(db, input, images, now);
  });
};
