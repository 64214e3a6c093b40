import { Space } from 'antd';

/** Controls joined into one. */
export const Compact = Space.Compact;
