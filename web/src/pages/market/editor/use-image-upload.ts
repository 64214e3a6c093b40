import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { portalCalls, resourceUploadFields } from '@farlink/contract/market/portal.ts';
import type { PortalImage } from '@farlink/portal/document.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { uploadFits } from '../../../kit/form/check-upload.ts';
import { CallError, call } from '../../../kit/net/call.ts';

const rule = resourceUploadFields.file.upload;
const refusedFile: Text = ['{0}：{1}', '{0}: {1}'];

export const imageSuffixes = rule?.accept ?? [];
export const imageRule: Text = rule?.text ?? ['', ''];

/** Uploads images one after the other, so that they keep their order. A refused one names its file and stops the rest. */
export const useImageUpload = (portal_id: number) => {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const send = async (file: File): Promise<PortalImage> => {
    if (rule && !uploadFits(file, rule)) throw new CallError(0, t(rule.text), null);
    const { sha256, ext, width, height } = await call(portalCalls.upload, { file, portal_id }, { silent: true, overlay: false });
    return { sha256, ext, width, height };
  };
  const upload = async (files: readonly File[]): Promise<readonly PortalImage[]> => {
    setBusy(true);
    setRefusal(undefined);
    const images: PortalImage[] = [];
    for (const file of files) {
      try {
        images.push(await send(file));
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        setRefusal(t(fill(refusedFile, file.name, Object.values(error.fields)[0] ?? error.message)));
        break;
      }
    }
    setBusy(false);
    void client.invalidateQueries({ queryKey: ['portal-images'] });
    return images;
  };
  return { isBusy, refusal, upload };
};
