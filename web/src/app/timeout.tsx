import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../kit/chrome/lang.ts';
import { AlertBox } from './alert-box.tsx';

const expired: Text = ['请求已过期', 'request has expired'];

export const Timeout = () => <AlertBox isFullPage title={t(expired)} />;
