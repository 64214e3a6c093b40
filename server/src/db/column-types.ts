import type { exportFormat } from '@farlink/contract/export/export.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import type { Values } from '@farlink/contract/kit/values.ts';

export type { AuditPage } from '@farlink/contract/audit/choices.ts';
export type { ApplySource } from '@farlink/contract/config/apply.ts';
/**
 * Types of columns that SQL cannot express. A column comment `ts: Name` refers to an export of this file, so a declaration can move
 * to another file without a migration.
 */
export type { TargetState } from '@farlink/contract/config/campaign.ts';
export type { TemplatePart, TemplateVariable } from '@farlink/contract/config/config-template.ts';
export type { LinkState } from '@farlink/contract/device/choices.ts';
export type { RemoteEnd, RemoteService } from '@farlink/contract/device/remote.ts';
export type { Residue } from '@farlink/contract/device/transfer.ts';
export type { CollectedMethod, PayMethod } from '@farlink/contract/finance/choices.ts';
export type { UpgradeReason } from '@farlink/contract/firmware/campaign.ts';
export type { Module } from '@farlink/contract/kit/endpoint.ts';
export type { Grant } from '@farlink/contract/kit/field.ts';
export type { Lang } from '@farlink/contract/kit/text.ts';
export type { LogAction } from '@farlink/contract/log/operator-log.ts';
export type { Network } from '@farlink/contract/protocol/network.ts';
export type { AccountStatus, AccountType, HoldingStatus, PackageStatus } from '@farlink/contract/user/choices.ts';
export type { IdType } from '@farlink/contract/user/id-document.ts';
export type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
export type { PortalDocument, PortalImage } from '@farlink/portal/document.ts';
export type { Manifest } from '@farlink/portal/package.ts';

/** Rights of a session, frozen at login: a change of rights ends the session. */
export interface Rights {
  readonly permissions: readonly string[] | null;
  readonly operate_permissions: Readonly<Record<string, string>>;
  readonly gateway_permissions: Readonly<Record<string, string>> | null;
  readonly view_hide_pkg: boolean;
  /** Management scope of the role. Null: no limit within the branch of the VNO. */
  readonly vno_ids: readonly number[] | null;
  readonly device_ids: readonly number[] | null;
}

/** Identity of a session. The session row stores it, so one lookup serves each request. */
export interface SessionInfo extends Me {
  readonly username: string;
  readonly name: string;
  readonly role_name: string;
  readonly customer_kind: 'vno' | 'sub' | 'job';
  readonly job_kind: 'master' | 'sub' | null;
  /** `/1/5/9/`: the session sees this branch of the VNO tree. */
  readonly agent_path: string;
  /** VNO ids of that branch. A list request reads them; they are never stored. */
  readonly branch?: readonly number[];
  readonly agent_name: string;
  readonly rights: Rights;
  /** The real operator, when one account works as another. */
  readonly acted_by: string | null;
}

/** A table format, or a format that only some builders print. */
export type ExportFormat = (typeof exportFormat)[number]['id'] | 'pdf' | 'zip';

/** Input of the list call. The export job runs the same query later. */
export interface ExportInput {
  readonly filters: Values;
  readonly orderby?: string | undefined;
  /** Other parameters of the call. */
  readonly [name: string]: unknown;
}

export interface ExportPayload {
  readonly input: ExportInput;
  readonly offset_minutes: number;
}

/** Bytes in both directions, and seconds online. */
export interface Usage {
  readonly bytes: number;
  readonly seconds: number;
}

/** Verifier of the password of a gateway's own pages. The gateway never gets the password. */
export interface LoginProof {
  readonly [name: string]: string | number;
  readonly alg: 'scrypt';
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly hash: string;
}

/** What a router says about a client that it sends to the portal. */
export type RouterClaim = {
  /** Lower case with colons. */
  readonly mac: string;
  /** Address that the client wanted to open. */
  readonly target?: string;
} & (
  | {
      readonly protocol: 'uam';
      /** Host and port of the router. */
      readonly origin: string;
      /** Hexadecimal. */
      readonly challenge: string;
    }
  | {
      readonly protocol: 'mikrotik';
      /** Login page of the router. */
      readonly page: string;
      /** Hexadecimal; missing if the router does not offer CHAP. */
      readonly chap?: { readonly id: string; readonly challenge: string };
    }
);

/** A claim that a session of the portal keeps. `isSigned`: the router has signed it with the UAM secret. */
export type RouterLogin = RouterClaim & { readonly isSigned: boolean };
