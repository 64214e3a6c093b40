import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { PortalImage } from '@farlink/portal/document.ts';
import { type Manifest, parseManifest } from '@farlink/portal/package.ts';
import type { Entry } from 'yauzl';
import type { Deps } from '../../../kit/deps.ts';
import { type OpenZip, openZip } from '../../../kit/formats/read-zip.ts';
import type { StoredParts } from '../portal-document.ts';
import { storeImage } from '../portal-image.ts';
import { checkCss } from './check-css.ts';
import { checkHtml, type ImageOf } from './check-html.ts';
import { PackageFault } from './package-fault.ts';

/** A template package that was checked; its images are in the file store. */
export interface TemplatePackage {
  readonly manifest: Manifest;
  readonly parts: StoredParts;
  /** Hash of the parts. */
  readonly sha256: string;
}

const packageLimits = { files: 200, images: 20, textBytes: 64 * 1024, imageBytes: 1024 * 1024 } as const;

const fileName = {
  folder: /^(images|fragments)\/$/,
  image: /^images\/[A-Za-z0-9_-]{1,60}\.(png|jpe?g)$/,
  fragment: /^fragments\/([a-z0-9-]{1,40})\.html$/,
};
const isText = (name: string) => name === 'manifest.json' || name === 'style.css' || fileName.fragment.test(name);
const isKnown = (name: string) => isText(name) || fileName.image.test(name) || fileName.folder.test(name);

const typeMask = 0o170000;
const linkType = 0o120000;
const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 16) & typeMask) === linkType;

const refuseEntry = (entry: Entry) => {
  const { fileName: name, uncompressedSize } = entry;
  if (isLink(entry)) throw new PackageFault(name, undefined, ['不允许符号链接', 'symbolic links are not allowed']);
  if (!isKnown(name))
    throw new PackageFault(name, undefined, [
      '模板包仅可包含 manifest.json、style.css、images/*.png、images/*.jpg 和 fragments/*.html',
      'a package may contain only manifest.json, style.css, images/*.png, images/*.jpg and fragments/*.html',
    ]);
  const limit = isText(name) ? packageLimits.textBytes : packageLimits.imageBytes;
  if (uncompressedSize > limit)
    throw new PackageFault(name, undefined, [`文件超过${limit / 1024}KB`, `the file is larger than ${limit / 1024} KB`]);
};

const refuseEntries = ({ entries }: OpenZip) => {
  if (entries.size > packageLimits.files)
    throw new PackageFault('ZIP', undefined, [`超过${packageLimits.files}个文件`, `more than ${packageLimits.files} files`]);
  for (const entry of entries.values()) refuseEntry(entry);
  const images = [...entries.keys()].filter((name) => fileName.image.test(name));
  if (images.length > packageLimits.images)
    throw new PackageFault('images', undefined, [`超过${packageLimits.images}张图片`, `more than ${packageLimits.images} images`]);
};

const bytesOf = async (zip: OpenZip, entry: Entry): Promise<Buffer> => {
  try {
    return await buffer(await zip.read(entry));
  } catch {
    throw new PackageFault(entry.fileName, undefined, ['文件已损坏', 'the file is damaged']);
  }
};

const textOf = async (zip: OpenZip, entry: Entry): Promise<string> => {
  const bytes = await bytesOf(zip, entry);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8.
  }
  throw new PackageFault(entry.fileName, undefined, ['不是UTF-8文本', 'not a UTF-8 text']);
};

/** Names of images in a manifest become the images. */
const withImages = (value: unknown, imageOf: ImageOf): unknown => {
  if (typeof value === 'string') return fileName.image.test(value) ? (imageOf(value) ?? value) : value;
  if (Array.isArray(value)) return value.map((one) => withImages(one, imageOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withImages(one, imageOf)]));
};

const manifestOf = (text: string, imageOf: ImageOf): Manifest => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new PackageFault('manifest.json', undefined, [`不是有效的JSON：${reason}`, `not valid JSON: ${reason}`]);
  }
  const parsed = parseManifest(withImages(raw, imageOf));
  if ('reason' in parsed) throw new PackageFault('manifest.json', undefined, [parsed.reason, parsed.reason]);
  return parsed.value;
};

interface Texts {
  readonly manifest: string;
  readonly css: string;
  readonly fragments: ReadonlyMap<string, string>;
}

const readTexts = async (zip: OpenZip): Promise<Texts> => {
  const manifest = zip.entries.get('manifest.json');
  if (!manifest) throw new PackageFault('manifest.json', undefined, ['模板包缺少该文件', 'the package has no such file']);
  const style = zip.entries.get('style.css');
  const fragments = new Map<string, string>();
  for (const [name, entry] of zip.entries) {
    const key = fileName.fragment.exec(name)?.[1];
    if (key !== undefined) fragments.set(key, await textOf(zip, entry));
  }
  return { manifest: await textOf(zip, manifest), css: style ? await textOf(zip, style) : '', fragments };
};

const partsOf = ({ manifest, css, fragments }: Texts, imageOf: ImageOf) => {
  const hrefOf = (name: string) => {
    const image = imageOf(name);
    return image && `../img/${image.sha256}.${image.ext}`;
  };
  return {
    manifest: manifestOf(manifest, imageOf),
    css: css === '' ? '' : checkCss('style.css', css, hrefOf),
    fragments: Object.fromEntries([...fragments].map(([name, text]) => [name, checkHtml(`fragments/${name}.html`, text, imageOf)])),
  };
};

const anyImage: PortalImage = { sha256: '0'.repeat(64), ext: 'png', width: 1, height: 1 };

const readImages = async (deps: Pick<Deps, 'config'>, zip: OpenZip): Promise<ReadonlyMap<string, PortalImage>> => {
  const images = new Map<string, PortalImage>();
  for (const [name, entry] of zip.entries) {
    if (!fileName.image.test(name)) continue;
    const stored = await storeImage(deps, await bytesOf(zip, entry));
    if (!stored) throw new PackageFault(name, undefined, ['不是有效的JPG或PNG图片', 'not a valid JPG or PNG image']);
    const { bytes: _, ...image } = stored;
    images.set(name, image);
  }
  return images;
};

/** Checks an uploaded package. Throws a `PackageFault` for the first fault. */
export const readPackage = async (deps: Pick<Deps, 'config'>, path: string): Promise<TemplatePackage> => {
  const zip = await openZip(path);
  if (!zip)
    throw new PackageFault('ZIP', undefined, [
      '无法读取：文件损坏、已加密、包含不安全的路径，或解压后过大',
      'cannot be read: it is damaged or encrypted, has unsafe paths, or is too large when unpacked',
    ]);
  try {
    refuseEntries(zip);
    const texts = await readTexts(zip);
    // Texts are cheap to check, so they are checked before an image is decoded.
    partsOf(texts, (name) => (zip.entries.has(name) && fileName.image.test(name) ? anyImage : undefined));
    const images = await readImages(deps, zip);
    const { manifest, css, fragments } = partsOf(texts, (name) => images.get(name));
    const parts = { css, fragments, images: [...new Map([...images.values()].map((image) => [image.sha256, image])).values()] };
    return { manifest, parts, sha256: createHash('sha256').update(JSON.stringify(parts)).digest('hex') };
  } finally {
    zip.close();
  }
};
