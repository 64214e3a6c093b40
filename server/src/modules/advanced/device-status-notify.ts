import { notifyEvent } from '@farlink/contract/advanced/choices.ts';
import { deviceStatusNotifyCalls as calls } from '@farlink/contract/advanced/device-status-notify.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { createRule, removeRule, rulesOf, updateRule } from './notify-rule.ts';

/** Returns the events in the order of the form. */
const eventsOf = (stored: readonly string[]) => notifyEvent.flatMap(({ id }) => (stored.includes(id) ? [id] : []));

export const listStatusRules: Handler<typeof calls.list> = async (ctx, input) => {
  const page = await pageOf(ctx.db, calls.list, input, rulesOf(ctx, 'status'));
  return { ...page, list: page.list.map((row) => ({ ...row, events: eventsOf(row.events) })) };
};

export const createStatusRule: Handler<typeof calls.create> = (ctx, input) => createRule(ctx, 'status', input);
export const updateStatusRule: Handler<typeof calls.update> = (ctx, input) => updateRule(ctx, 'status', input);
export const removeStatusRule: Handler<typeof calls.remove> = (ctx, { id }) => removeRule(ctx, 'status', id);
