import { calls, shape } from '../kit/endpoint.ts';
import { document, option, password, tags, text } from '../kit/field.ts';
import type { Values } from '../kit/values.ts';
import { rules } from '../rules.ts';
import { type ConfigProblemView, configAccess } from './config.ts';

/** The configuration of a device as a file. Secrets are omitted, or encrypted with a password of the operator. */
export const exchangeFormat = 'farlink-config';
/** Incremented when older files can no longer be read correctly. */
export const exchangeVersion = 1;

export interface ConfigFile {
  readonly format: typeof exchangeFormat;
  readonly version: number;
  readonly device: { readonly name: string; readonly sn: string; readonly model: string | null; readonly version: string | null };
  readonly at: number;
  readonly sections: Readonly<Record<string, Values>>;
  /** Base64url; the encrypted secrets, by section and path. */
  readonly secrets?: {
    readonly kdf: 'scrypt';
    readonly n: number;
    readonly r: number;
    readonly p: number;
    readonly salt: string;
    readonly cipher: 'aes-256-gcm';
    readonly nonce: string;
    readonly tag: string;
    readonly data: string;
  };
}

const device_id = option(['设备', 'Device'], 'device/option', { required: true, hidden: true });

export const exportFields = {
  pages: tags(['配置页', 'Pages'], { tips: ['不选则导出全部', 'Exports all if none is selected'] }),
  password: password(['文件密码', 'File password'], {
    rules: [rules.length(8, 128)],
    max: 128,
    tips: [
      '填写后文件带有密码、密钥等保密内容并以此加密；不填则不含保密内容',
      'With a password, the file includes secrets, encrypted with it. Without one, secrets are left out.',
    ],
  }),
};

/** Result of an import: drafts of the changed pages. */
export interface Imported {
  readonly pages: readonly string[];
  readonly unchanged: number;
  /** Pages of the file that this session must not change. */
  readonly denied: readonly string[];
}
/** Problems of a refused file, by page and field. */
export interface ImportProblems {
  readonly problems: readonly ConfigProblemView[];
}

export const importFields = {
  content: document(['文件', 'File'], { required: true }),
  password: text(['文件密码', 'File password'], { max: 128 }),
  pages: tags(['配置页', 'Pages'], { tips: ['不选则导入全部', 'Imports all if none is selected'] }),
};

export const exchangeCalls = calls('device', configAccess, {
  export: {
    kind: 'command',
    path: 'device/config/export',
    summary: ['导出网关配置', 'Export a configuration'],
    input: { device_id, ...exportFields },
  },
  import: {
    kind: 'command',
    path: 'device/config/import',
    summary: ['导入网关配置', 'Import a configuration as drafts'],
    input: { device_id, ...importFields },
    shape: shape<Imported>(),
  },
});
