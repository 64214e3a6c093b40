import { remoteCalls } from '@farlink/contract/device/remote.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { Dialog } from '../../../kit/form/dialog.tsx';
import { type CallError, call } from '../../../kit/net/call.ts';
import { timeText } from '../../../ui/format.ts';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { Player } from './player.tsx';
import { parseRecording, type Recording } from './recording.ts';

const texts = {
  title: ['终端回放 · {0} · {1}', 'Replay · {0} · {1}'],
  failed: ['录像无法读取', 'The recording cannot be read'],
  empty: ['录像中没有内容', 'The recording is empty'],
} as const satisfies Record<string, Text>;

interface ReplayProps {
  readonly session: AnyRow;
  readonly onClose: () => void;
}

interface Loaded {
  readonly recording: Recording;
  readonly blob: Blob;
  readonly name: string;
}

/** Replay of a terminal recording. Each view is written to the operator log. */
const Replay = ({ session, onClose }: ReplayProps) => {
  const [loaded, setLoaded] = useState<Loaded>();
  const [fault, setFault] = useState<string>();
  const { id } = session;
  useEffect(() => {
    let isMounted = true;
    // Delayed, so that double effects in development cause only one log entry.
    const begin = setTimeout(() => {
      call(remoteCalls.replay, { id }, { blob: true, silent: true })
        .then(async ({ blob, name }) => {
          const recording = parseRecording(await blob.text());
          if (isMounted) setLoaded({ recording, blob, name });
        })
        .catch((error: CallError) => isMounted && setFault(error.message));
    });
    return () => {
      isMounted = false;
      clearTimeout(begin);
    };
  }, [id]);
  return (
    <Dialog open title={t(texts.title, String(session.operator ?? ''), timeText(session.create_at))} width={1080} onClose={onClose}>
      {fault !== undefined && <EmptyState title={t(texts.failed)} hint={fault} />}
      {loaded && loaded.recording.events.length === 0 && <EmptyState title={t(texts.empty)} />}
      {loaded && loaded.recording.events.length > 0 && <Player {...loaded} />}
    </Dialog>
  );
};
export default Replay;
