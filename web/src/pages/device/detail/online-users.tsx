import { onlineUser, onlineUserActions, onlineUserCalls } from '@farlink/contract/device/online-user.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { EmbeddedList } from '../../../kit/list/embedded-list.tsx';
import { useLiveRefresh } from '../../../kit/live/use-live.ts';
import { lists } from './use-device.ts';

const title: Text = ['在线用户', 'Online users'];
const page = { key: lists.users, title, list: onlineUserCalls.list, resource: onlineUser, actions: onlineUserActions };

/** Subscribers online behind a gateway, updated live. */
const OnlineUsers = ({ id }: { readonly id: number }) => {
  useLiveRefresh(['list', lists.users], ['user', 'offline'], [id]);
  return <EmbeddedList page={page} params={{ device_id: id }} />;
};
export default OnlineUsers;
