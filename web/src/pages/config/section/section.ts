import { type ConfigPage, configCalls } from '@farlink/contract/config/config.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { ReactNode } from 'react';
import { call } from '../../../kit/net/call.ts';

export interface SectionProps {
  readonly deviceId: number;
  readonly page: GatewayPage;
  readonly data: ConfigPage;
  /** URL of a page, if the operator can open it. */
  readonly hrefOf: (page: string) => string | undefined;
  /** The field to focus, for example from a reported problem. */
  readonly at: string | null;
}

/** Uploads the file of a field to the console. */
export const uploadOf = (device_id: number, page: string) => async (file: File, field: string) =>
  call(configCalls.file, { device_id, page, field, file }, { silent: true, overlay: false });

/** Data that both kinds of pages report: draft state, and a function that replaces all values. */
export interface Handle {
  readonly status: ReactNode;
  readonly isDirty: boolean;
  readonly set: (values: Values) => void;
  readonly discard: () => Promise<void>;
}
