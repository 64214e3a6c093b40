import type { shadowState, WaitReason } from '../device/shadow.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, document, file, int, option, tags, text } from '../kit/field.ts';
import type { Values } from '../kit/values.ts';
import { type ApplyView, configApply, configRevision } from './apply.ts';
import { anyFile, ask, device_id, keep, type NamedFile, note, page, pageKey, rev } from './config-input.ts';

/**
 * The configuration of one gateway. An operator changes pages in a personal draft; drafts are reviewed and applied together, all or none. A
 * document is the values of a form or the `rows` of a list; its secrets are replaced with `keptSecret`.
 */
export const configAccess = ['gateway_config', 'device_list', 'device_detail'] as const;

/** Placeholder for a secret in a document; sent back, it keeps the stored secret. No secret can have this value. */
export const keptSecret = '••••••••';

export type ShadowState = (typeof shadowState)[number]['id'];

/** A page in the menu of a gateway, with the rights of this session. */
export interface ConfigNode {
  readonly key: string;
  readonly zh: string;
  readonly en: string;
  readonly kind: 'form' | 'list' | 'status' | 'log' | 'action' | 'wizard' | 'terminal';
  /** Whether it can be changed or executed, or only viewed. */
  readonly writable: boolean;
  readonly hidden: boolean;
  /** Opens this page instead. */
  readonly quick: string | null;
  /** Shadow state of a section; null for other pages. */
  readonly state: ShadowState | null;
  /** This operator has a draft of the page. */
  readonly draft: boolean;
}
export interface ConfigTree {
  readonly device: {
    readonly id: number;
    readonly name: string;
    readonly sn: string;
    readonly online_state: 0 | 1;
    readonly network: string;
  };
  readonly groups: readonly { readonly key: string; readonly zh: string; readonly en: string; readonly pages: readonly ConfigNode[] }[];
  /** The newest apply of several sections, while it is open or has just ended. */
  readonly apply: ApplyView | null;
}

/** Origin of a value: the device, a template of its group, VNO or the platform, or the factory. */
export interface Origin {
  readonly from: 'device' | 'group' | 'vno' | 'platform' | 'factory';
  readonly name: string | null;
}

export interface ConfigPage {
  readonly page: string;
  readonly writable: boolean;
  /** The desired document; otherwise the reported one; otherwise the factory document. Empty while the state is `unread`. */
  readonly doc: Values;
  readonly rev: number;
  /** By field, or by row key. */
  readonly origins: Readonly<Record<string, Origin>>;
  /** The document without values of the device itself. A value reset to it follows the templates again. */
  readonly inherited: Values;
  readonly state: ShadowState;
  readonly waits: WaitReason | null;
  readonly err: string | null;
  /** The request for the document of an unread page: open, or ended without it. */
  readonly reading: 'open' | 'failed' | null;
  readonly update_at: number | null;
  readonly at: number | null;
  /** The local change at the gateway, if drifted. */
  readonly local: Values | null;
  /** Identifies `local`, secrets included. */
  readonly local_hash: string | null;
  readonly draft: { readonly doc: Values; readonly base_rev: number; readonly update_at: number } | null;
  /** Other operators with a draft of this page. */
  readonly others: readonly string[];
  /** Rows that fields of this page can refer to: by page, with key and name. */
  readonly refs: Readonly<Record<string, readonly { readonly key: string; readonly name: string }[]>>;
}

export interface DifferenceView {
  readonly what: 'added' | 'removed' | 'changed';
  readonly row: string | null;
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
}
export interface ConfigProblemView {
  readonly page: string;
  readonly path: string;
  readonly text: string;
}
/** The changes that would be sent, by page, and the problems. */
export interface Review {
  readonly pages: readonly {
    readonly page: string;
    readonly zh: string;
    readonly en: string;
    readonly base_rev: number;
    readonly rev: number;
    readonly differences: readonly DifferenceView[];
    /** Another revision was applied after this draft was created. */
    readonly stale: boolean;
    /** The gateway has another document than the desired one. */
    readonly drifted: boolean;
  }[];
  readonly problems: readonly ConfigProblemView[];
  readonly bytes: number;
  readonly waits: WaitReason | null;
  /** The change affects the connection of the gateway, so a rollback timer is recommended. */
  readonly risky: boolean;
}

export const configCalls = calls('device', configAccess, {
  tree: {
    kind: 'tree',
    path: 'device/config/tree',
    summary: ['网关配置菜单', 'Configuration pages of a gateway'],
    input: { device_id },
    shape: shape<ConfigTree>(),
  },
  page: {
    kind: 'tree',
    path: 'device/config/page',
    summary: ['读取网关配置页', 'Read a configuration page'],
    input: { device_id, page, ask },
    shape: shape<ConfigPage>(),
  },
  /** Refuses invalid fields. Conflicts with other pages are returned by `review`. */
  draft: {
    kind: 'command',
    method: 'PUT',
    path: 'device/config/draft',
    summary: ['保存网关配置草稿', 'Save a draft of a configuration page'],
    input: {
      device_id,
      page,
      base_rev: int(['版本', 'Revision'], { required: true }),
      doc: document(['内容', 'Content'], { required: true }),
    },
  },
  /** Uploads a file; the response is the value of `field` (`cert_file`; in nested rows `items.file`). */
  file: {
    kind: 'command',
    path: 'device/config/file',
    summary: ['上传网关配置文件', 'Upload a file of a configuration page'],
    input: {
      device_id: option(['设备', 'Device'], 'device/option', { hidden: true }),
      page,
      field: text(['字段', 'Field'], { required: true, max: 128 }),
      file: file(['文件', 'File'], { required: true, upload: anyFile }),
    },
    shape: shape<NamedFile>(),
  },
  /** Discards one page, or all. */
  discard: {
    kind: 'command',
    method: 'DELETE',
    path: 'device/config/draft',
    summary: ['放弃网关配置草稿', 'Discard drafts'],
    input: { device_id, page: text(['页面', 'Page'], { max: 64, rules: [pageKey] }) },
  },
  review: {
    kind: 'tree',
    path: 'device/config/review',
    summary: ['核对网关配置差异', 'Review the differences of drafts'],
    input: { device_id },
    shape: shape<Review>(),
  },
  apply: {
    kind: 'command',
    path: 'device/config/apply',
    summary: ['下发网关配置', 'Apply drafts, all or none'],
    input: {
      device_id,
      pages: tags(['页面', 'Pages'], { required: true }),
      keep,
      note,
      force: bool(['覆盖他人修改', 'Overwrite changes by others']),
    },
    shape: shape<{ readonly id: number }>(),
  },
  /** Possible only before it is sent to the gateway. */
  withdraw: {
    kind: 'command',
    path: 'device/config/withdraw',
    summary: ['撤回网关配置下发', 'Withdraw a pending configuration change'],
    input: { device_id, id: int(['下发', 'Change'], { required: true }) },
  },
  applies: {
    kind: 'list',
    path: 'device/config/applies',
    summary: ['网关配置下发记录', 'Changes sent to a gateway'],
    input: { device_id },
    resource: configApply,
  },
  /** `section` is the page key, because `page` is the page number of the list. */
  revisions: {
    kind: 'list',
    path: 'device/config/revisions',
    summary: ['网关配置历史版本', 'Revisions of a page'],
    input: { device_id, section: page },
    resource: configRevision,
  },
  /** One revision, and the changes that a rollback to it would make. */
  revision: {
    kind: 'tree',
    path: 'device/config/revision',
    summary: ['查看网关配置历史版本', 'Read a revision'],
    input: { device_id, page, rev },
    shape: shape<{ readonly doc: Values; readonly differences: readonly DifferenceView[] }>(),
  },
  /** Creates a draft from an earlier revision, which is reviewed and applied like any other. */
  rollback: {
    kind: 'command',
    path: 'device/config/rollback',
    summary: ['恢复网关配置历史版本', 'Restore an earlier revision as a draft'],
    input: { device_id, page, rev },
  },
  /** Resolves a drifted page: accept the local change or overwrite it. Refused if the gateway has changed the page since it was read. */
  resolveDrift: {
    kind: 'command',
    path: 'device/config/settle',
    summary: ['处理网关本地修改', 'Accept or overwrite changes made at the gateway'],
    input: {
      device_id,
      page,
      take: choice(
        ['处理方式', 'How'],
        [
          { id: 'gateway', label: ['采用网关版本', 'Accept the gateway version'] },
          { id: 'console', label: ['覆盖网关版本', 'Write over it'] },
        ],
        { required: true },
      ),
      local_hash: text(['网关版本', 'Gateway version'], { required: true, max: 64 }),
    },
  },
});
