var t=["verified","unverified","salvaged","mismatch"];function Vi(i,r){return t.indexOf(i)>t.indexOf(r)?i:r}export{Vi as a};
