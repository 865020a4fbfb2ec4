function n(r){try{return typeof r=="string"?JSON.parse(r):void 0}catch{return}}export{n as a};
