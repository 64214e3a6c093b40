import type { ChannelRow } from './secrets.ts';

/** Where a provider sends the notices of a channel. */
export const notifyPath = ({ channel, id }: Pick<ChannelRow, 'channel' | 'id'>) => `/agt/v1/pay/notify/${channel}/${id}`;
