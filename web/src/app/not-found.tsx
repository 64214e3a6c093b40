import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { t } from '../kit/chrome/lang.ts';
import { AlertBox } from './alert-box.tsx';
import { logout } from './end-session.ts';
import { useCountdown } from './use-countdown.ts';

const denied: Text = ['无访问权限', 'Access denied'];
const missing: Text = ['页面不存在', 'Page not found'];
const returning: Text = ['{0} 秒后返回首页', 'Returning to the home page in {0} s'];
const ok: Text = ['确定', 'Confirm'];

const Missing = () => {
  const navigate = useNavigate();
  const { left } = useCountdown(limits.notFoundReturnS);
  useEffect(() => {
    if (left === 0) void navigate('/index', { replace: true });
  }, [left, navigate]);
  return (
    <AlertBox title={t(missing)} text={t(returning, left)} action={t(ok)} onAction={() => void navigate('/index', { replace: true })} />
  );
};

/** spec §2: the page for missing pages and for operators without any page. */
export const NotFound = ({ denied: none }: { denied: boolean }) => {
  const [query] = useSearchParams();
  if (query.get('type') === '404') return <Missing />;
  return none ? <AlertBox isFullPage title={t(denied)} text={t(errors.denied.text)} action={t(ok)} onAction={() => void logout()} /> : null;
};
