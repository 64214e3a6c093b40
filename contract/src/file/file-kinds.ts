import type { Rule, UploadRule } from '../kit/rule.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import type { FileType } from './choices.ts';

/** Allowed names and sizes by file type; the server also checks the content. */
interface FileKind {
  /** Extensions; empty: any. */
  readonly accept: readonly string[];
  readonly maxBytes: number;
  readonly text: Text;
}

const mb = (bytes: number) => bytes / 1024 / 1024;
const archives = ['zip', 'tar', 'gz', 'tgz'];

export const fileKinds: Readonly<Record<FileType, FileKind>> = {
  config: {
    accept: ['conf', 'cfg', 'ini', 'json', 'xml', 'yaml', 'yml', 'txt', 'csv', ...archives],
    maxBytes: limits.fileConfigBytes,
    text: [
      `配置文件须为文本（conf、cfg、ini、json、xml、yaml、txt、csv）或压缩包（zip、tar、gz），最大${mb(limits.fileConfigBytes)}MB`,
      `Configuration files must be text (conf, cfg, ini, json, xml, yaml, txt, csv) or an archive (zip, tar, gz), at most ${mb(limits.fileConfigBytes)} MB`,
    ],
  },
  script: {
    accept: ['sh', 'py', 'lua', 'pl', 'js', 'txt'],
    maxBytes: limits.fileScriptBytes,
    text: [
      `脚本须为文本文件（sh、py、lua、pl、js、txt），最大${mb(limits.fileScriptBytes)}MB`,
      `Scripts must be text files (sh, py, lua, pl, js, txt), at most ${mb(limits.fileScriptBytes)} MB`,
    ],
  },
  docker: {
    accept: ['tar', 'gz', 'tgz'],
    maxBytes: limits.fileBytes,
    text: [
      `Docker镜像须为tar、tar.gz或tgz，最大${mb(limits.fileBytes)}MB`,
      `Docker images must be tar, tar.gz or tgz, at most ${mb(limits.fileBytes)} MB`,
    ],
  },
  portal: {
    accept: ['zip'],
    maxBytes: limits.zipBytes - 1,
    text: ['门户资源须为ZIP压缩包，小于1MB', 'Portal resources must be a ZIP file under 1 MB'],
  },
  media: {
    accept: ['jpg', 'jpeg', 'png', 'gif', 'mp4', 'webm', 'mp3', 'wav', 'pdf'],
    maxBytes: limits.fileBytes,
    text: [
      `媒体文件支持jpg、png、gif、mp4、webm、mp3、wav、pdf，最大${mb(limits.fileBytes)}MB`,
      `Media files must be jpg, png, gif, mp4, webm, mp3, wav or pdf, at most ${mb(limits.fileBytes)} MB`,
    ],
  },
  other: {
    accept: [],
    maxBytes: limits.fileBytes,
    text: [`文件不能为空，最大${mb(limits.fileBytes)}MB`, `The file cannot be empty; at most ${mb(limits.fileBytes)} MB`],
  },
};

export const extensionOf = (name: string) => (/.\.([^.]*)$/.exec(name)?.[1] ?? '').toLowerCase();

/** Checks only name and size, before the upload. */
export const kindFits = (type: FileType, name: string, size: number): boolean => {
  const { accept, maxBytes } = fileKinds[type];
  return size > 0 && size <= maxBytes && (accept.length === 0 || accept.includes(extensionOf(name)));
};

const nameAndSize = (value: unknown) =>
  typeof value === 'object' && value !== null && 'name' in value && 'size' in value
    ? { name: String(value.name), size: Number(value.size) }
    : undefined;

/** One rule per type, so that the message names the requirements of that type. */
export const fileRules: readonly Rule[] = Object.entries(fileKinds).map(([type, { accept, maxBytes, text }]) => ({
  name: `file_${type}`,
  text,
  test: (value, values) => {
    const file = nameAndSize(value);
    if (values.type !== type || !file) return true;
    return file.size > 0 && file.size <= maxBytes && (accept.length === 0 || accept.includes(extensionOf(file.name)));
  },
}));

/** A file in its own form; `fileRules` and the server check it by its type. */
export const wholeFile: UploadRule = {
  name: 'single_import',
  text: [
    `每次一个文件，最大${mb(limits.fileBytes)}MB，格式须与文件类型一致`,
    `One file at a time, at most ${mb(limits.fileBytes)} MB; the format must match the file type`,
  ],
  accept: [],
  maxBytes: limits.fileBytes,
  maxName: 128,
};

/** A chunk of an upload; the file is checked when it is complete. */
export const fileChunk: UploadRule = {
  name: 'file_part',
  text: [`每个分片最大${mb(limits.fileChunkBytes)}MB`, `Each chunk is at most ${mb(limits.fileChunkBytes)} MB`],
  accept: [],
  maxBytes: limits.fileChunkBytes,
};
