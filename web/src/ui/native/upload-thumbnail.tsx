import { useEffect, useState } from 'react';

export const isImage = (file: File) => file.type.startsWith('image/');

/** Preview of a chosen image before the upload. */
export const UploadThumbnail = ({ file }: { readonly file: File }) => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url && <img className="upload-thumbnail" src={url} alt={file.name} />;
};
