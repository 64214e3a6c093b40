import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useState } from 'react';
import type { Refs } from '../../../kit/document/value-text.ts';
import { usePageData } from '../use-config.ts';
import { useWatch, type Watched } from './use-watch.ts';

export interface LiveReading extends Watched {
  readonly isPaused: boolean;
  readonly setPaused: (on: boolean) => void;
  readonly searchText: string;
  readonly setSearchText: (text: string) => void;
  readonly refs: Refs;
}

/** Data of the gateway for one page, with pause and search. */
export const useLiveReading = (deviceId: number, page: GatewayPage): LiveReading => {
  const [isPaused, setPaused] = useState(false);
  const [searchText, setSearchText] = useState('');
  const watched = useWatch(deviceId, page.key, isPaused);
  const refs = usePageData(deviceId, page.key).data?.refs ?? {};
  return { ...watched, isPaused, setPaused, searchText, setSearchText, refs };
};
