import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useState } from 'react';
import { useNavigate, useRouteError } from 'react-router';
import { t } from '../kit/chrome/lang.ts';
import { AlertBox } from './alert-box.tsx';
import { currentPath } from './end-session.ts';
import { ChunkError, mayReload } from './load-chunk.ts';
import { Splash } from './splash.tsx';

const notLoaded: Text = ['页面加载失败', 'The page could not be loaded'];
const notLoadedHint: Text = ['网络可能不稳定，或控制台刚刚更新。', 'The network may be unstable, or the console has just been updated.'];
const broken: Text = ['页面出错', 'Something went wrong on this page'];
const brokenHint: Text = ['刷新后仍出现此问题，请联系管理员。', 'If this happens again after a reload, contact the administrator.'];
const reload: Text = ['重新加载', 'Reload'];

/** spec §8: a chunk that failed to load reloads the page once, because a newer build may exist; after that an error is shown. */
export const PageError = () => {
  const error = useRouteError();
  const lost = error instanceof ChunkError;
  const navigate = useNavigate();
  // Offline, a reload would lose the console itself.
  const [reloading] = useState(() => lost && navigator.onLine && mayReload(currentPath()));
  useEffect(() => {
    if (reloading) location.reload();
  }, [reloading]);
  const again = () => (lost && !navigator.onLine ? void navigate(currentPath(), { replace: true }) : location.reload());
  const isWaiting = lost && !reloading;
  useEffect(() => {
    if (!isWaiting) return;
    const reload = () => location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isWaiting]);
  if (reloading) return <Splash />;
  return <AlertBox title={t(lost ? notLoaded : broken)} text={t(lost ? notLoadedHint : brokenHint)} action={t(reload)} onAction={again} />;
};
