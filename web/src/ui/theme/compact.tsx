import { Space } from 'antd';

/** Joined controls. */
export const Compact = Space.Compact;
