import { readFile } from 'node:fs/promises';
import type { Text } from '@farlink/contract/kit/text.ts';
import { imagePositions, type PortalDocument, type PortalImage, parseDocument } from '@farlink/portal/document.ts';
import { type SqlBool, sql } from 'kysely';
import { storeImage } from '../../domain/portal/portal-image.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { isUpload } from '../../kit/files/upload.ts';

const invalid = (reason: string): Text => [`内容有误：${reason}`, `Invalid document: ${reason}`];

export const requireDocument = (raw: unknown): PortalDocument => {
  const parsed = parseDocument(raw);
  if ('reason' in parsed) throw failAt('document', invalid(parsed.reason));
  return parsed.value;
};

const isSame = (one: PortalImage, other: PortalImage) =>
  one.sha256 === other.sha256 && one.ext === other.ext && one.width === other.width && one.height === other.height;

/** Each image must be an upload of the VNO of the portal or part of its template. */
export const requireImages = async (ctx: Ctx, agent_id: number, doc: PortalDocument, packaged: readonly PortalImage[]) => {
  const references = imagePositions(doc);
  if (references.length === 0) return;
  const own = await ctx.db
    .selectFrom('portal_resource')
    .select(['sha256', 'ext', 'width', 'height'])
    .where('agent_id', '=', agent_id)
    .where(sql<SqlBool>`sha256 = any(${references.map(({ image }) => image.sha256)}::text[])`)
    .execute();
  const unknownImage = references.find(({ image }) => ![...own, ...packaged].some((known) => isSame(known, image)));
  if (unknownImage)
    throw failAt('document', [
      `${unknownImage.path}：图片不存在，请重新上传`,
      `${unknownImage.path}: unknown image. Please upload it again.`,
    ]);
};

export const notImage: Text = ['不是有效的JPG或PNG图片', 'Not a valid JPG or PNG image'];

/** Stores an uploaded image for a VNO. The same image again is the same row. */
export const saveImage = async (ctx: Ctx, agent_id: number, field: string, upload: unknown) => {
  if (!isUpload(upload)) return undefined;
  const stored = await storeImage(ctx.deps, await readFile(upload.path));
  if (!stored) throw failAt(field, notImage);
  const { bytes, ...image } = stored;
  const { id } = await ctx.db
    .insertInto('portal_resource')
    .values({ ...image, agent_id, bytes, name: upload.name, operator: ctx.me.name, create_at: ctx.now() })
    .onConflict((conflict) => conflict.constraint('portal_resource_sha256_key').doUpdateSet({ name: upload.name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, image, name: upload.name };
};
