import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Page } from '@playwright/test';
import { addressOf } from './calls.ts';

interface Refusal {
  readonly code: number;
  readonly msg: string;
  readonly data?: unknown;
}

/** Mocks a refusal of a call, for codes that are hard to cause. */
export const refuse = (page: Page, call: Endpoint, { code, msg, data = null }: Refusal) =>
  page.route(addressOf(call), (route) =>
    route.request().method() === call.method ? route.fulfill({ status: 422, json: { code, msg, data } }) : route.fallback(),
  );

/** Mocks a network failure of a call. */
export const lose = (page: Page, call: Endpoint) =>
  page.route(addressOf(call), (route) => (route.request().method() === call.method ? route.abort() : route.fallback()));
