import { type ConfigPage, configCalls } from '@farlink/contract/config/config.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { ReactNode } from 'react';
import { call } from '../../../kit/net/call.ts';

export interface SectionProps {
  readonly deviceId: number;
  readonly page: GatewayPage;
  readonly data: ConfigPage;
  /** Where a page opens, for whoever may open it. */
  readonly hrefOf: (page: string) => string | undefined;
  /** A field to begin with: a problem was told of it. */
  readonly at: string | null;
}

/** Leaves a file of a field with the console. */
export const uploadOf = (device_id: number, page: string) => async (file: File, field: string) =>
  call(configCalls.file, { device_id, page, field, file }, { silent: true, overlay: false });

/** What the two kinds of pages hand up: how it stands with the draft, and how to change all of it. */
export interface Handle {
  readonly status: ReactNode;
  readonly isDirty: boolean;
  readonly set: (values: Values) => void;
  readonly discard: () => Promise<void>;
}
