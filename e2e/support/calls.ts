import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Page, Request } from '@playwright/test';

type Call = Pick<Endpoint, 'method' | 'path'>;

/** URL pattern of a call, for any id and query. */
export const addressOf = ({ path }: Call) => new RegExp(`/agt/v1/${path.replace(/\{\w+\}/g, '\\d+')}(\\?|$)`);

const isCall = (call: Call) => (request: Request) => request.method() === call.method && addressOf(call).test(request.url());

/** The next request of a call; must be called before the action that causes it. */
export const nextCall = (page: Page, call: Call): Promise<Request> => page.waitForRequest(isCall(call));

/** All requests of a call from now on. */
export const callsTo = (page: Page, call: Call): readonly Request[] => {
  const requests: Request[] = [];
  page.on('request', (request) => isCall(call)(request) && requests.push(request));
  return requests;
};

export const queryOf = (request: Request): Record<string, string> => Object.fromEntries(new URL(request.url()).searchParams);

/** The query without the common parameters (spec §7). */
export const inputOf = (request: Request): Record<string, string> => {
  const { lang: _, uid: __, agent_id: ___, ...rest } = queryOf(request);
  return rest;
};

/** Mocks the response of a call. */
export const reply = (page: Page, call: Call, data: unknown) =>
  page.route(addressOf(call), (route) =>
    route.request().method() === call.method ? route.fulfill({ json: { code: 0, msg: 'ok', data } }) : route.fallback(),
  );

/** Delays a call until it is released, so that the pending state can be checked. */
export const delayCall = async (page: Page, call: Call) => {
  const release = Promise.withResolvers<void>();
  await page.route(addressOf(call), async (route) => {
    await release.promise;
    await route.continue();
  });
  return release.resolve;
};
